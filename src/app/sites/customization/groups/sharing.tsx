/** The group of settings about language, link previews, privacy and accounts elsewhere. */
import { Plus, X } from 'lucide-react'
import { locales, socialPlatforms } from '../../../../core/customization/choices.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { Check } from '../../../kit/field.tsx'
import { showDone } from '../../../kit/toast.tsx'
import { customizationTexts } from '../../../texts/customization.ts'
import { t } from '../../../texts/index.ts'
import { SelectSetting, TextSetting } from '../fields.tsx'
import { useCustomization } from '../form.tsx'
import { inserted, replaced, without } from '../rows.ts'

const texts = customizationTexts.sharing

export function Sharing() {
  const { settings, changePart } = useCustomization()
  const orNone = (text: string): string | undefined => (text === '' ? undefined : text)
  return (
    <>
      <SelectSetting
        at="internationalization.locale"
        label={texts.locale}
        hint={texts.localeHint}
        options={locales}
        names={texts.locales}
        value={settings.internationalization.locale}
        onChange={(locale) => changePart('internationalization', { locale })}
      />
      <TextSetting
        at="socialPreview.url"
        label={texts.picture}
        hint={texts.pictureHint}
        type="url"
        dir="ltr"
        placeholder="https://"
        maxLength={2048}
        value={settings.socialPreview.url ?? ''}
        onChange={(text) => changePart('socialPreview', { url: orNone(text) })}
      />
      <TextSetting
        at="privacyPolicy.url"
        label={texts.privacy}
        hint={texts.privacyHint}
        type="url"
        dir="ltr"
        placeholder="https://"
        maxLength={2048}
        value={settings.privacyPolicy.url ?? ''}
        onChange={(text) => changePart('privacyPolicy', { url: orNone(text) })}
      />
      <Accounts />
    </>
  )
}

const platformNames: Readonly<Record<(typeof socialPlatforms)[number], string>> = {
  twitter: 'X (Twitter)',
  instagram: 'Instagram',
  facebook: 'Facebook',
  linkedin: 'LinkedIn',
  github: 'GitHub',
  discord: 'Discord',
  slack: 'Slack',
  youtube: 'YouTube',
  tiktok: 'TikTok',
  reddit: 'Reddit',
  bluesky: 'Bluesky',
  mastodon: 'Mastodon',
  threads: 'Threads',
  medium: 'Medium',
}

function Accounts() {
  const { settings, change } = useCustomization()
  const accounts = settings.socialAccounts
  const set = (socialAccounts: typeof accounts): void => change((before) => ({ ...before, socialAccounts }))
  return (
    <fieldset className="ui-fieldset" data-setting="socialAccounts">
      <legend>{texts.accounts}</legend>
      {accounts.length === 0 && <p className="ui-hint">{texts.noAccounts}</p>}
      {accounts.map((account, index) => {
        const at = `socialAccounts.${index}`
        const name = platformNames[account.platform]
        return (
          <div className="customization-inner" key={index}>
            <div className="customization-row">
              <SelectSetting
                at={`${at}.platform`}
                label={texts.platform}
                options={socialPlatforms}
                names={platformNames}
                value={account.platform}
                onChange={(platform) => set(replaced(accounts, index, { ...account, platform }))}
              />
              <TextSetting
                at={`${at}.handle`}
                label={texts.handle}
                hint={account.platform === 'mastodon' ? texts.mastodonHint : undefined}
                maxLength={128}
                value={account.handle}
                onChange={(handle) => set(replaced(accounts, index, { ...account, handle }))}
              />
              <IconButton
                label={customizationTexts.header.remove(`${name} ${account.handle}`)}
                icon={X}
                onClick={() => {
                  set(without(accounts, index))
                  showDone(customizationTexts.header.removed(name), {
                    label: t.common.undo,
                    run: () =>
                      change((before) => ({
                        ...before,
                        socialAccounts: inserted(before.socialAccounts, index, account),
                      })),
                  })
                }}
              />
            </div>
            {(['header', 'footer'] as const).map((area) => (
              <Check
                key={area}
                label={area === 'header' ? texts.inHeader : texts.inFooter}
                checked={account.display[area]}
                onChange={({ target }) =>
                  set(
                    replaced(accounts, index, { ...account, display: { ...account.display, [area]: target.checked } }),
                  )
                }
              />
            ))}
          </div>
        )
      })}
      {accounts.length < 10 && (
        <Button
          kind="quiet"
          icon={Plus}
          onClick={() =>
            set([...accounts, { platform: 'github', handle: '', display: { header: false, footer: true } }])
          }
        >
          {texts.addAccount}
        </Button>
      )}
    </fieldset>
  )
}
