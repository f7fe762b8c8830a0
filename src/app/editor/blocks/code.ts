/** Code: lines as blocks, with language and title above. */
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
  const bar = make('div', { class: 'code-title ed-code-bar' }, title, language)
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
          'titled',
          data.overflow === 'wrap' && 'wrap',
          data.lineNumbers === true && 'numbered',
          data.fullWidth === true && 'full',
        ),
      )
      if (document.activeElement !== title) title.value = data.title ?? ''
      if (document.activeElement !== language) language.value = data.syntax ?? ''
    },
  })
}

export const languages: readonly string[] = [
  ...'bash,c,cpp,csharp,css,diff,docker,go,graphql,html,http,ini,java,javascript,json,jsx,kotlin,lua'.split(','),
  ...'makefile,markdown,mermaid,nginx,php,powershell,python,r,ruby,rust,scala,sh,sql,swift,toml,tsx'.split(','),
  ...'typescript,vue,xml,yaml'.split(','),
]
