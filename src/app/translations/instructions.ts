/** Instructions as plain text: each line a paragraph. */
import { makeDocument, paragraph } from '../../core/document/tree/make.ts'
import type { Output } from '../session/client.ts'

type Instructions = Output<'getTranslation'>['instructions']

export const documentOf = (text: string): Instructions =>
  makeDocument(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line) => paragraph(line)),
  )

export const textOf = ({ nodes }: Instructions): string => nodes.map(wordsIn).join('\n')

/** Whether it is no more than lines of plain text. */
export const isPlain = ({ nodes }: Instructions): boolean =>
  nodes.every((node) => node.type === 'paragraph' && !/"(?:marks":\[\{|object":"inline")/.test(JSON.stringify(node)))

function wordsIn(node: unknown): string {
  if (typeof node !== 'object' || node === null) return ''
  if ('text' in node && typeof node.text === 'string') return node.text
  return ['leaves', 'nodes', 'fragments'].map((name) => childrenOf(node, name).map(wordsIn).join('')).join('')
}

function childrenOf(node: object, name: string): unknown[] {
  const found: unknown = Reflect.get(node, name)
  return Array.isArray(found) ? found : []
}
