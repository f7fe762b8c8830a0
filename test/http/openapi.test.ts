/** What the API says of itself: a sentence for everything, and examples that are what they are examples of. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../src/http/openapi/openapi.ts'

type Json = Record<string, unknown>
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const document = openApiDocument({ url: 'http://lectern.test', version: '1' })
const components = isJson(document.components) ? document.components : {}
const operations = Object.values(isJson(document.paths) ? document.paths : {})
  .flatMap((path) => Object.values(isJson(path) ? path : {}))
  .filter(isJson)

test('every operation, parameter and property has a sentence', () => {
  const mute: string[] = []
  const visit = (value: unknown, place: string): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, `${place}/${index}`)
    if (!isJson(value)) return
    for (const [name, field] of Object.entries(isJson(value.properties) ? value.properties : {}))
      if (isJson(field) && typeof field.description !== 'string') mute.push(`${place}/${name}`)
    for (const [key, item] of Object.entries(value))
      if (!/^(example|examples|default)$/.test(key)) visit(item, `${place}/${key}`)
  }
  for (const operation of operations) {
    const name = String(operation.operationId)
    if (typeof operation.description !== 'string') mute.push(name)
    for (const parameter of Array.isArray(operation.parameters) ? operation.parameters : [])
      if (!('$ref' in parameter) && typeof parameter.description !== 'string') mute.push(`${name}?${parameter.name}`)
    visit(operation.requestBody, name)
    visit(operation.responses, name)
  }
  visit(components.schemas, '')
  expect(mute).toEqual([])
})

test('every body and success has an example that is valid against its schema', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'api', components })
  const wrong: string[] = []
  for (const operation of operations) {
    const answers = Object.entries(isJson(operation.responses) ? operation.responses : {})
    const parts = [
      operation.requestBody,
      ...answers.filter(([status]) => status.startsWith('2')).map(([, answer]) => answer),
    ]
    for (const part of parts) {
      for (const media of Object.values(isJson(part) && isJson(part.content) ? part.content : {})) {
        if (!isJson(media)) continue
        const schema = JSON.parse(JSON.stringify(media.schema).replaceAll('"#/components', '"api#/components'))
        const isValid = 'example' in media && ajv.validate(schema, media.example)
        if (!isValid)
          wrong.push(`${operation.operationId}: ${ajv.errorsText()} ${JSON.stringify(media.example)?.slice(0, 200)}`)
      }
    }
  }
  expect(wrong).toEqual([])
})
