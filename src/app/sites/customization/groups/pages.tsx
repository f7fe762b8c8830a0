/** The group of settings about what stands around a page. */
import { ArrowDown, ArrowUp } from 'lucide-react'
import { linkTargets, pageActions } from '../../../../core/customization/choices.ts'
import { IconButton } from '../../../kit/button.tsx'
import { Check } from '../../../kit/field.tsx'
import { customizationTexts } from '../../../texts/customization.ts'
import { Choice, FlagSetting } from '../fields.tsx'
import { useCustomization } from '../form.tsx'
import { moved } from '../rows.ts'
import type { Customization } from '../target.ts'

type Action = Customization['pageActions']['items'][number]

const texts = customizationTexts.pages

export function Pages() {
  const { settings, changePart } = useCustomization()
  return (
    <>
      <PageMenu />
      <FlagSetting
        at="pagination.enabled"
        label={texts.pagination}
        checked={settings.pagination.enabled}
        onChange={(enabled) => changePart('pagination', { enabled })}
      />
      <FlagSetting
        at="feedback.enabled"
        label={texts.feedback}
        checked={settings.feedback.enabled}
        onChange={(enabled) => changePart('feedback', { enabled })}
      />
      <FlagSetting
        at="openapi.tryIt"
        label={texts.tryIt}
        checked={settings.openapi.tryIt}
        onChange={(tryIt) => changePart('openapi', { tryIt })}
      />
      <FlagSetting
        at="trademark.enabled"
        label={texts.trademark}
        checked={settings.trademark.enabled}
        onChange={(enabled) => changePart('trademark', { enabled })}
      />
      <Choice
        at="externalLinks.target"
        label={texts.external}
        options={linkTargets}
        names={texts.externalTargets}
        value={settings.externalLinks.target}
        onChange={(target) => changePart('externalLinks', { target })}
      />
    </>
  )
}

/** Those that are there in their order, then those that are not. The list is what counts; the API keeps its flags in step. */
function PageMenu() {
  const { settings, changePart } = useCustomization()
  const { items } = settings.pageActions
  const set = (next: Action[]): void => changePart('pageActions', { items: next })
  // There is no assistant, so that it is not offered.
  const others = pageActions.filter((action) => action !== 'assistant' && !items.includes(action))
  return (
    <fieldset className="ui-fieldset" data-setting="pageActions.items">
      <legend>{texts.menu}</legend>
      <p className="ui-hint">{texts.menuHint}</p>
      <ul className="customization-actions">
        {[...items, ...others].map((action) => {
          const at = items.indexOf(action)
          const name = texts.actions[action]
          return (
            <li key={action}>
              <Check
                label={name}
                checked={at !== -1}
                onChange={({ target }) =>
                  set(target.checked ? [...items, action] : items.filter((item) => item !== action))
                }
              />
              {at > 0 && <IconButton label={texts.up(name)} icon={ArrowUp} onClick={() => set(moved(items, at, -1))} />}
              {at !== -1 && at < items.length - 1 && (
                <IconButton label={texts.down(name)} icon={ArrowDown} onClick={() => set(moved(items, at, 1))} />
              )}
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}
