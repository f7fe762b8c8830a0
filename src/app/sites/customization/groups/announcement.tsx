/** The group of settings about the line on top of every page. */
import { bannerStyles } from '../../../../core/customization/choices.ts'
import { customizationTexts } from '../../../texts/customization.ts'
import { Choice, FlagSetting, TextSetting } from '../fields.tsx'
import { useCustomization, withFields } from '../form.tsx'
import { TargetField } from '../link-target.tsx'
import { withSetting } from '../settings.ts'
import type { Customization } from '../target.ts'

type Fields = NonNullable<Customization['announcement']>

const texts = customizationTexts.announcement

export function Announcement() {
  const { settings, change } = useCustomization()
  const { announcement } = settings
  const set = (next: Fields | undefined): void => change((before) => withSetting(before, 'announcement', next))
  const toggle = (enabled: boolean): void => {
    const present: Fields = announcement ?? { enabled, message: '', style: 'info' }
    // One without words was never there.
    set(!enabled && present.message.trim().length < 2 ? undefined : { ...present, enabled })
  }
  const { link } = announcement ?? {}
  return (
    <>
      <FlagSetting
        at="announcement.enabled"
        label={texts.enabled}
        checked={announcement?.enabled ?? false}
        onChange={toggle}
      />
      {announcement && (
        <>
          <TextSetting
            at="announcement.message"
            label={texts.message}
            hint={texts.messageHint}
            maxLength={128}
            value={announcement.message}
            onChange={(message) => set({ ...announcement, message })}
          />
          <Choice
            at="announcement.style"
            label={texts.style}
            options={bannerStyles}
            names={texts.styles}
            value={announcement.style}
            onChange={(style) => set({ ...announcement, style })}
          />
          <FlagSetting
            at="announcement.link"
            label={texts.link}
            checked={link !== undefined}
            onChange={(isOn) =>
              set(withFields(announcement, { link: isOn ? { title: '', to: { kind: 'url', url: '' } } : undefined }))
            }
          />
          {link && (
            <div className="customization-inner">
              <TextSetting
                at="announcement.link.title"
                label={texts.linkTitle}
                maxLength={100}
                value={link.title}
                onChange={(title) => set({ ...announcement, link: { ...link, title } })}
              />
              <TargetField
                at="announcement.link.to"
                value={link.to}
                onChange={(to) => set({ ...announcement, link: { ...link, to } })}
              />
            </div>
          )}
        </>
      )}
    </>
  )
}
