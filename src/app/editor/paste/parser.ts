/** Reads pasted HTML after it was cleaned. The editor's own library parses the text under its own policy of trusted types. */
import { DOMParser, type ParseOptions, type Slice } from 'prosemirror-model'
import { schema } from '../document/schema.ts'
import { cleanHtml } from './clean-html.ts'

class CleaningParser extends DOMParser {
  override parseSlice(dom: globalThis.Node, options: ParseOptions = {}): Slice {
    if ('querySelectorAll' in dom && 'ownerDocument' in dom && isElement(dom)) cleanHtml(dom)
    return super.parseSlice(dom, { ...options, preserveWhitespace: 'full' })
  }
}

const isElement = (node: globalThis.Node): node is HTMLElement => node.nodeType === 1

export const pasteParser = (): DOMParser => new CleaningParser(schema, DOMParser.fromSchema(schema).rules)
