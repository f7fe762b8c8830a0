/** Samples send what a server can read: a spec may name a range of media types where a request needs one. */
import { expect, test } from 'vitest'
import type { Json } from '../../../src/core/openapi/json.ts'
import { viewOperation } from '../../../src/core/openapi/operation-view.ts'
import { newBudget } from '../../../src/core/openapi/schema-view.ts'

function samplesFor(type: string, example: Json): string[] {
  const source = {
    title: 'Pods',
    version: '1',
    servers: [],
    security: [],
    securitySchemes: {},
    readRef: () => undefined,
  }
  const operation = { requestBody: { content: { [type]: { example } } } }
  const at = { method: 'post', path: '/pods', isWebhook: false }
  return viewOperation(source, operation, at, newBudget(10)).samples.map(({ code }) => code)
}

test('any type at all is sent as JSON', () => {
  const [curl, javascript, python] = samplesFor('*/*', { name: 'web' })
  expect(curl).toContain("-H 'Content-Type: application/json'")
  expect(curl).toContain(`-d '{\n  "name": "web"\n}'`)
  expect(javascript).toContain('"Content-Type": "application/json"')
  expect(javascript).toContain('body: JSON.stringify({')
  expect(python).toContain('json={')
})

test('text of any type is sent as text, and a form as a form', () => {
  expect(samplesFor('text/*', 'web')[0]).toContain("-H 'Content-Type: text/plain' \\\n  -d 'web'")
  expect(samplesFor('application/x-www-form-urlencoded', { name: 'web' })[0]).toContain("--data-urlencode 'name=web'")
})

test('a form of parts is sent as one in every language', () => {
  const [curl, javascript, python] = samplesFor('multipart/form-data', { name: 'web' })
  expect(curl).toContain("-F 'name=web'")
  expect(javascript).toContain('const form = new FormData()\nform.append("name", "web")\n\nconst response')
  expect(javascript).toContain('body: form,')
  expect(javascript).not.toContain('Content-Type')
  expect(python).toContain('files={\n        "name": (None, "web"),\n    },')
})
