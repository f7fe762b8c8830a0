/**
 * Whether a document has the form of an API description, as far as showing it needs: what stands where something else
 * belongs is told with its place. It is lenient where real specs are: an unknown key or a reference that leads nowhere is
 * shown as what it is, and refuses nothing.
 */
import { escapeStep, isObject, type Json, type JsonObject, objectAt, own } from './json.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const
export type SpecMethod = (typeof methods)[number]
export const isMethod = (name: string): name is SpecMethod => methods.some((method) => method === name)

/**
 * The operations of a path, under their methods, in the order of the spec. Methods that are none of the usual ones (3.2) have
 * a place of their own; of their names only those are taken that need no quotes in a shell.
 */
export function operationsIn(item: Json | undefined): { method: string; operation: JsonObject }[] {
  if (!isObject(item)) return []
  const usual = Object.entries(item).filter(([name]) => isMethod(name))
  const others = Object.entries(objectAt(item, 'additionalOperations')).filter(
    ([name]) => /^[a-z][a-z\d-]{0,19}$/i.test(name) && !isMethod(name.toLowerCase()),
  )
  return [...usual, ...others].flatMap(([name, operation]) =>
    isObject(operation) ? [{ method: name.toLowerCase(), operation }] : [],
  )
}

const mostProblems = 20

export function problemsOf(document: JsonObject): string[] {
  const checker = new Checker()
  checker.document(document)
  return checker.problems
}

class Checker {
  readonly problems: string[] = []

  document(root: JsonObject): void {
    const isSwagger = own(root, 'swagger') !== undefined
    const version = String(own(root, isSwagger ? 'swagger' : 'openapi') ?? '')
    if (!(isSwagger ? /^2(\.0)?$/ : /^3\.[0-2](\.|$)/).test(version)) {
      this.#add('/', 'says neither `swagger: "2.0"` nor `openapi` with a version from 3.0 to 3.2')
      return
    }
    const info = this.#object(root, 'info', '', true)
    if (info && typeof own(info, 'title') !== 'string') this.#add('/info/title', 'is not a text')
    const hasOthers = own(root, 'webhooks') !== undefined || own(root, 'components') !== undefined
    this.#paths(root, 'paths', !hasOthers)
    this.#paths(root, 'webhooks', false)
    const groups = isSwagger ? root : (this.#object(root, 'components', '', false) ?? {})
    const at = isSwagger ? '' : '/components'
    const names = isSwagger
      ? ['definitions', 'parameters', 'responses', 'securityDefinitions']
      : ['schemas', 'parameters', 'responses', 'requestBodies', 'securitySchemes']
    for (const name of names) this.#object(groups, name, at, false)
    for (const name of ['tags', ...(isSwagger ? [] : ['servers'])]) this.#objects(root, name, '')
  }

  #paths(root: JsonObject, key: 'paths' | 'webhooks', isRequired: boolean): void {
    const paths = this.#object(root, key, '', isRequired)
    for (const [name, item] of Object.entries(paths ?? {})) {
      if (name.startsWith('x-')) continue
      const pointer = `/${key}/${escapeStep(name)}`
      if (key === 'paths' && !name.startsWith('/')) this.#add(pointer, 'does not begin with /')
      if (!isObject(item)) this.#add(pointer, 'is not an object')
      else this.#item(item, pointer)
    }
  }

  #item(item: JsonObject, pointer: string): void {
    this.#objects(item, 'parameters', pointer)
    for (const [method, operation] of Object.entries(item))
      if (isMethod(method)) this.#operation(operation, `${pointer}/${method}`)
    const others = this.#object(item, 'additionalOperations', pointer, false) ?? {}
    for (const [method, operation] of Object.entries(others))
      this.#operation(operation, `${pointer}/additionalOperations/${escapeStep(method)}`)
  }

  #operation(operation: Json, pointer: string): void {
    if (!isObject(operation)) {
      this.#add(pointer, 'is not an object')
      return
    }
    this.#objects(operation, 'parameters', pointer)
    for (const key of ['responses', 'requestBody', 'callbacks']) this.#object(operation, key, pointer, false)
  }

  #object(value: JsonObject, key: string, pointer: string, isRequired: boolean): JsonObject | undefined {
    const found = own(value, key)
    if (found === undefined || found === null) {
      if (isRequired) this.#add(`${pointer}/${key}`, 'is missing')
      return undefined
    }
    if (isObject(found)) return found
    this.#add(`${pointer}/${key}`, 'is not an object')
    return undefined
  }

  #objects(value: JsonObject, key: string, pointer: string): void {
    const found: Json | undefined = own(value, key)
    if (found === undefined || found === null) return
    if (!Array.isArray(found)) this.#add(`${pointer}/${key}`, 'is not a list')
    else
      for (const [index, item] of found.entries())
        if (!isObject(item)) this.#add(`${pointer}/${key}/${index}`, 'is not an object')
  }

  #add(pointer: string, sentence: string): void {
    if (this.problems.length < mostProblems) this.problems.push(`${pointer} ${sentence}.`)
  }
}
