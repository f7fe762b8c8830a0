/**
 * Code: lines as blocks, with title and language. A title stands above the code, as readers see it. Without one nothing does:
 * the fields float on the upper edge, and empty ones are only drawn under the pointer, with the focus, or with the cursor in
 * the code; keys and screen readers reach them all the time.
 */
import { Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { classes } from '../document/dom.ts'
import { make, setProps } from '../dom.ts'
import { boxView, dataField, type MakeView } from './view-parts.ts'

export const codeView: MakeView = (site) => {
  const { texts } = site.context
  const title = dataField(
    site,
    make('input', { class: 'ed-field', placeholder: texts.code.title, 'aria-label': texts.code.title }),
    { name: 'title' },
  )
  const language = dataField(
    site,
    make('input', {
      class: 'ed-field ed-language',
      placeholder: texts.code.language,
      'aria-label': texts.code.language,
      list: 'ed-languages',
      autocapitalize: 'off',
      spellcheck: 'false',
    }),
    { name: 'syntax' },
  )
  const bar = make('div', {}, title, language)
  const content = make('code', { spellcheck: 'false' })
  const dom = make('div', {}, bar, make('pre', { dir: 'ltr' }, content))
  return boxView(site.node, {
    dom,
    content,
    controls: [bar],
    draw(node) {
      const { data } = node.attrs
      setProps(
        dom,
        classes(
          'code',
          Boolean(data.title) && 'titled',
          data.overflow === 'wrap' && 'wrap',
          data.lineNumbers === true && 'numbered',
          data.fullWidth === true && 'full',
        ),
      )
      setProps(bar, classes('ed-code-bar', Boolean(data.title) && 'code-title'))
      if (document.activeElement !== title) title.value = data.title ?? ''
      if (document.activeElement !== language) language.value = data.syntax ?? ''
    },
  })
}

/** Tells the styles which code has the cursor. */
export const codeAtCursor = (): Plugin =>
  new Plugin({
    props: {
      decorations({ doc, selection: { $from } }) {
        for (let depth = $from.depth; depth > 0; depth -= 1)
          if ($from.node(depth).type.name === 'code')
            return DecorationSet.create(doc, [
              Decoration.node($from.before(depth), $from.after(depth), { 'data-cursor': '' }),
            ])
        return null
      },
    },
  })

export const languages: readonly string[] = [
  ...'bash,c,cpp,csharp,css,diff,docker,go,graphql,html,http,ini,java,javascript,json,jsx,kotlin,lua'.split(','),
  ...'makefile,markdown,mermaid,nginx,php,powershell,python,r,ruby,rust,scala,sh,sql,swift,toml,tsx'.split(','),
  ...'typescript,vue,xml,yaml'.split(','),
]
