/** `vars.yaml`: the variables of a space. */
import { printYaml } from '../document/syntax/front-matter.ts'
import { cleanText } from '../document/tree/fields.ts'
import type { Variables } from '../revision/records.ts'
import { yamlValue } from '../yaml.ts'

/** The variables a file defines; undefined when it defines none, and is only a file. */
export function readVariables(source: string): Variables | undefined {
  const value = yamlValue(cleanText(source))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const entries = Object.entries(value).filter(([name]) => name !== '__proto__')
  if (entries.some(([, one]) => typeof one === 'object' && one !== null)) return undefined
  return Object.fromEntries(entries.map(([name, one]) => [name, one === null ? '' : String(one)]))
}

export const printVariables = (variables: Variables): string =>
  printYaml(Object.fromEntries(Object.entries(variables).map(([name, value]) => [cleanText(name), cleanText(value)])))
