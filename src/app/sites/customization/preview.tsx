/** The site itself beside the form, with what is not saved yet laid over it; by day and by night, wide and narrow. */
import { ExternalLink, Monitor, Moon, RotateCw, Smartphone, Sun } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { paths } from '../../frame/paths.ts'
import { ButtonLink, IconButton } from '../../kit/button.tsx'
import { Empty, Loaded } from '../../kit/empty.tsx'
import { useCall } from '../../session/client.ts'
import { customizationTexts } from '../../texts/customization.ts'
import { t } from '../../texts/index.ts'
import type { Site } from '../row.tsx'
import { isSeenAtOnce, paint } from './paint.ts'
import type { Customization, Target } from './target.ts'

const texts = customizationTexts.preview
const parts: Readonly<Record<string, string>> = customizationTexts.parts

interface PreviewProps {
  site: Site
  target: Target
  settings: Customization
  changed: readonly string[]
  /** Changes when something was saved, and the site has to be loaded again. */
  version: number
}

/** A preview can be entered for an hour; a new one is asked for well before. */
const renewedAfter = 45 * 60_000

export function Preview(props: PreviewProps) {
  const { site, target } = props
  const { organizationId, siteId, siteSpaceId } = target
  const preview = useCall('getSitePublishingPreviewById', { organizationId, siteId }, { staleTime: renewedAfter })
  const spaces = useCall('listSiteSpaces', { organizationId, siteId, query: { limit: 1000 } }, { staleTime: 60_000 })
  const space = spaces.data?.items.find(({ id }) => id === siteSpaceId)
  return (
    <section className="customization-preview" aria-labelledby="customization-preview">
      <h2 className="sr" id="customization-preview" tabIndex={-1}>
        {texts.title}
      </h2>
      <Loaded query={preview} lines={8}>
        {({ previewURL }) => {
          if (site.siteSpaces === 0)
            return (
              <Empty title={texts.noPages} text={t.sites.noSpaces}>
                <ButtonLink href={paths.site(site.id)}>{t.sites.addSpace}</ButtonLink>
              </Empty>
            )
          const address = `${previewURL}${pathOf(site, space?.urls.published)}`
          return new URL(previewURL).origin === location.origin ? (
            <Framed key={address} {...props} address={address} />
          ) : (
            <OtherOrigin address={address} />
          )
        }}
      </Loaded>
    </section>
  )
}

/** Where on the site a space begins, as far as that is known: the site has addresses when it is published. */
function pathOf({ urls }: Site, published: string | undefined): string {
  if (published === undefined || urls.published === undefined) return ''
  const root = urls.published.replace(/\/$/, '')
  return published.startsWith(`${root}/`) ? published.slice(root.length) : ''
}

const OtherOrigin = ({ address }: { address: string }) => (
  <p className="ui-quiet">
    {texts.otherOrigin(new URL(address).host)}{' '}
    <a className="ui-link" href={address} target="_blank" rel="noreferrer">
      {texts.open}
    </a>
  </p>
)

function Framed({ address, settings, changed, version }: PreviewProps & { address: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [scheme, setScheme] = useState<'light' | 'dark'>(settings.themes.default === 'dark' ? 'dark' : 'light')
  const [device, setDevice] = useState<'desktop' | 'phone'>(
    matchMedia('(max-width: 819px)').matches ? 'phone' : 'desktop',
  )
  const show = (): void => {
    if (frame.current) paint(frame.current, settings, scheme)
  }
  const reload = (): void => frame.current?.contentWindow?.location.reload()
  useEffect(show, [settings, scheme])
  const shownVersion = useRef(version)
  useEffect(() => {
    if (shownVersion.current === version) return
    shownVersion.current = version
    frame.current?.contentWindow?.location.reload()
  }, [version])
  const waiting = new Set(changed.filter((path) => !isSeenAtOnce(path)).map((path) => partOf(path)))
  return (
    <>
      <div className="customization-preview-tools">
        <Switch
          label={texts.device}
          value={device}
          options={[
            { value: 'desktop', label: texts.desktop, icon: Monitor },
            { value: 'phone', label: texts.phone, icon: Smartphone },
          ]}
          onChange={setDevice}
        />
        <Switch
          label={texts.scheme}
          value={scheme}
          options={[
            { value: 'light', label: texts.light, icon: Sun },
            { value: 'dark', label: texts.dark, icon: Moon },
          ]}
          onChange={setScheme}
        />
        <IconButton label={texts.reload} icon={RotateCw} onClick={reload} />
        <a
          className="ui-icon-button"
          href={address}
          target="_blank"
          rel="noreferrer"
          aria-label={texts.open}
          data-tip={texts.open}
        >
          <ExternalLink size={16} strokeWidth={1.75} aria-hidden="true" />
        </a>
      </div>
      <div className="customization-frame" data-device={device}>
        <iframe title={texts.frame} src={address} ref={frame} onLoad={show} />
      </div>
      <p className="ui-hint" role="status">
        {waiting.size === 0 ? texts.atOnce : `${texts.waiting} ${[...waiting].join(', ')}.`}
      </p>
    </>
  )
}

const partOf = (path: string): string => {
  const name = path.split('.')[0] ?? ''
  return path === 'styling.icons' ? customizationTexts.shape.icons : (parts[name] ?? name)
}

interface SwitchProps<Value extends string> {
  label: string
  value: Value
  options: readonly { value: Value; label: string; icon: typeof Sun }[]
  onChange: (value: Value) => void
}

const Switch = <Value extends string>({ label, value, options, onChange }: SwitchProps<Value>) => (
  <div className="customization-switch" role="group" aria-label={label}>
    {options.map((option) => (
      <IconButton
        key={option.value}
        label={option.label}
        icon={option.icon}
        aria-pressed={option.value === value}
        onClick={() => onChange(option.value)}
      />
    ))}
  </div>
)
