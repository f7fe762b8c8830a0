/**
 * Tokens made in one step. markdown-it is published with classes whose fields a helper defines one by one, which is up to two
 * fifths of what parsing takes, by how much of it V8 sees through (docs/benchmarks/cold-history.md). Its states make their tokens in `push` and `pushPending`, which do the
 * same here with a class of our own.
 */
import markdownIt, { type MarkdownIt, type StateInline, type Token } from 'markdown-it'

class PlainToken implements Token {
  declare type: string
  declare tag: string
  declare attrs: Token['attrs']
  declare map: Token['map']
  declare nesting: Token['nesting']
  declare level: number
  declare children: Token[] | null
  declare content: string
  declare markup: string
  declare info: string
  declare meta: Token['meta']
  declare block: boolean
  declare hidden: boolean
  declare attrIndex: Token['attrIndex']
  declare attrPush: Token['attrPush']
  declare attrSet: Token['attrSet']
  declare attrGet: Token['attrGet']
  declare attrJoin: Token['attrJoin']

  constructor(type: string, tag: string, nesting: Token['nesting']) {
    this.map = null
    this.level = 0
    this.children = null
    this.content = ''
    this.markup = ''
    this.info = ''
    this.block = false
    this.hidden = false
    this.type = type
    this.tag = tag
    this.attrs = null
    this.nesting = nesting
    this.meta = null
  }
}
// What tokens do, they do as those of markdown-it; only how they are made is another way.
Object.setPrototypeOf(PlainToken.prototype, markdownIt.Token.prototype)

type Nesting = -1 | 0 | 1

export function makePlainTokens(md: MarkdownIt): void {
  md.block.State = class extends md.block.State {
    override push(type: string, tag: string, nesting: Nesting): Token {
      const token = new PlainToken(type, tag, nesting)
      token.block = true
      if (nesting < 0) this.level -= 1
      token.level = this.level
      if (nesting > 0) this.level += 1
      this.tokens.push(token)
      return token
    }
  }
  md.inline.State = class extends md.inline.State {
    override pushPending(): Token {
      const token = new PlainToken('text', '', 0)
      token.content = this.pending
      token.level = this.pendingLevel
      this.tokens.push(token)
      this.pending = ''
      return token
    }

    override push(type: string, tag: string, nesting: Nesting): Token {
      if (this.pending !== '') this.pushPending()
      const token = new PlainToken(type, tag, nesting)
      if (nesting < 0) {
        this.level -= 1
        this.delimiters = this._prev_delimiters.pop() ?? []
      }
      token.level = this.level
      let within: { delimiters: StateInline['delimiters'] } | undefined
      if (nesting > 0) {
        this.level += 1
        this._prev_delimiters.push(this.delimiters)
        this.delimiters = []
        within = { delimiters: this.delimiters }
      }
      this.pendingLevel = this.level
      this.tokens.push(token)
      this.tokens_meta.push(within)
      return token
    }
  }
}
