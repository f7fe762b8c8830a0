/** The group of settings about the foot of every page. */
import { customizationTexts } from '../../../texts/customization.ts'
import { TextSetting } from '../fields.tsx'
import { useCustomization } from '../form.tsx'
import { TargetField } from '../link-target.tsx'
import { Pictures } from '../pictures.tsx'
import { RowList } from '../row-list.tsx'
import type { Customization } from '../target.ts'

type Group = Customization['footer']['groups'][number]

const texts = customizationTexts.footer

export function Footer() {
  const { settings, changePart } = useCustomization()
  const { groups, logo, copyright } = settings.footer
  return (
    <>
      <div data-setting="footer.groups">
        <RowList
          label={texts.groups}
          empty={texts.noGroups}
          addLabel={texts.add}
          rows={groups}
          most={20}
          nameOf={({ title }) => title || texts.untitled}
          make={(): Group => ({ title: '', links: [] })}
          onChange={(next) => changePart('footer', { groups: next })}
        >
          {(group, index, change) => <GroupFields at={`footer.groups.${index}`} group={group} onChange={change} />}
        </RowList>
      </div>
      <TextSetting
        at="footer.copyright"
        label={texts.copyright}
        maxLength={300}
        value={copyright ?? ''}
        onChange={(text) => changePart('footer', { copyright: text === '' ? undefined : text })}
      />
      <Pictures
        at="footer.logo"
        label={texts.logo}
        hint={texts.logoHint}
        value={logo}
        onChange={(next) => changePart('footer', { logo: next })}
      />
    </>
  )
}

function GroupFields({ at, group, onChange }: { at: string; group: Group; onChange: (group: Group) => void }) {
  return (
    <>
      <TextSetting
        at={`${at}.title`}
        label={texts.title}
        maxLength={64}
        value={group.title}
        onChange={(title) => onChange({ ...group, title })}
      />
      <RowList
        label={texts.links}
        addLabel={texts.addLink}
        rows={group.links}
        most={50}
        nameOf={({ title }) => title || customizationTexts.header.untitled}
        make={() => ({ title: '', to: { kind: 'url' as const, url: '' } })}
        onChange={(links) => onChange({ ...group, links })}
      >
        {(link, index, change) => (
          <>
            <TextSetting
              at={`${at}.links.${index}.title`}
              label={customizationTexts.header.title}
              maxLength={64}
              value={link.title}
              onChange={(title) => change({ ...link, title })}
            />
            <TargetField at={`${at}.links.${index}.to`} value={link.to} onChange={(to) => change({ ...link, to })} />
          </>
        )}
      </RowList>
    </>
  )
}
