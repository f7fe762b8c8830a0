/** The group of settings about the head of every page. */
import { headerPresets, linkStyles } from '../../../../core/customization/choices.ts'
import { customizationTexts } from '../../../texts/customization.ts'
import { ColorField } from '../color-field.tsx'
import { Choice, SelectSetting, TextSetting } from '../fields.tsx'
import { useCustomization, withFields } from '../form.tsx'
import { TargetField } from '../link-target.tsx'
import { RowList } from '../row-list.tsx'
import type { Customization } from '../target.ts'

type HeaderLink = Customization['header']['links'][number]

const texts = customizationTexts.header
const black = { light: '#1f2937', dark: '#111827' }
const white = { light: '#ffffff', dark: '#ffffff' }

export function Header() {
  const { settings, changePart } = useCustomization()
  const { preset, backgroundColor, linkColor, links } = settings.header
  return (
    <>
      <Choice
        at="header.preset"
        label={texts.preset}
        hint={preset === 'none' ? texts.noneHint : undefined}
        options={headerPresets}
        names={texts.presets}
        value={preset}
        onChange={(chosen) =>
          changePart('header', {
            preset: chosen,
            ...(chosen === 'custom'
              ? { backgroundColor: backgroundColor ?? black, linkColor: linkColor ?? white }
              : {}),
          })
        }
      />
      {preset === 'custom' && (
        <>
          <ColorField
            at="header.backgroundColor"
            label={texts.backgroundColor}
            value={backgroundColor ?? black}
            onChange={(color) => changePart('header', { backgroundColor: color })}
          />
          <ColorField
            at="header.linkColor"
            label={texts.linkColor}
            value={linkColor ?? white}
            onChange={(color) => changePart('header', { linkColor: color })}
          />
        </>
      )}
      <div data-setting="header.links">
        <RowList
          label={texts.links}
          empty={texts.noLinks}
          addLabel={texts.add}
          rows={links}
          most={20}
          nameOf={({ title }) => title || texts.untitled}
          make={(): HeaderLink => ({ title: '', style: 'link', to: { kind: 'url', url: '' }, links: [] })}
          onChange={(next) => changePart('header', { links: next })}
        >
          {(link, index, change) => <LinkFields at={`header.links.${index}`} link={link} onChange={change} />}
        </RowList>
      </div>
    </>
  )
}

function LinkFields({ at, link, onChange }: { at: string; link: HeaderLink; onChange: (link: HeaderLink) => void }) {
  const isMenu = link.links.length > 0
  return (
    <>
      <TextSetting
        at={`${at}.title`}
        label={texts.title}
        maxLength={64}
        value={link.title}
        onChange={(title) => onChange({ ...link, title })}
      />
      {isMenu ? (
        <p className="ui-hint">{texts.menuHint}</p>
      ) : (
        <>
          <TargetField at={`${at}.to`} value={link.to} onChange={(to) => onChange({ ...link, to })} />
          <SelectSetting
            at={`${at}.style`}
            label={texts.style}
            options={linkStyles}
            names={texts.styles}
            value={link.style ?? 'link'}
            onChange={(style) => onChange({ ...link, style })}
          />
        </>
      )}
      <details className="customization-more">
        <summary>{isMenu ? `${texts.below}: ${link.links.length}` : texts.more}</summary>
        <RowList
          label={texts.below}
          addLabel={texts.addBelow}
          rows={link.links}
          most={20}
          nameOf={({ title }) => title || texts.untitled}
          make={() => ({ title: '', to: { kind: 'url' as const, url: '' } })}
          onChange={(links) => onChange({ ...link, links, to: targetWith(links, link.to) })}
        >
          {(below, index, change) => (
            <>
              <TextSetting
                at={`${at}.links.${index}.title`}
                label={texts.title}
                maxLength={64}
                value={below.title}
                onChange={(title) => change({ ...below, title })}
              />
              <TargetField
                at={`${at}.links.${index}.to`}
                value={below.to}
                onChange={(to) => change({ ...below, to })}
              />
            </>
          )}
        </RowList>
        <TextSetting
          at={`${at}.condition`}
          label={texts.condition}
          hint={texts.conditionHint}
          dir="ltr"
          maxLength={1024}
          value={link.condition ?? ''}
          onChange={(text) => onChange(withFields(link, { condition: text === '' ? undefined : text }))}
        />
      </details>
    </>
  )
}

/** A menu need not lead anywhere itself; what is a menu no more has to again. */
function targetWith(links: HeaderLink['links'], to: HeaderLink['to']): HeaderLink['to'] {
  if (links.length === 0) return to ?? { kind: 'url', url: '' }
  return to?.kind === 'url' && to.url === '' ? null : to
}
