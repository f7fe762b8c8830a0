/** How visitors are let into a site by the sign-in of somebody else: where it is, and the key that its tokens are signed with. */
import { Copy, Eye, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../kit/button.tsx'
import { FormDialog } from '../kit/dialog.tsx'
import { Loaded } from '../kit/empty.tsx'
import { SavedField } from '../kit/field.tsx'
import { showDone } from '../kit/toast.tsx'
import { call, type Input, useAction, useCall } from '../session/client.ts'
import { t } from '../texts/index.ts'
import type { Site } from './row.tsx'

export function VisitorSignIn({ site, organizationId }: { site: Site; organizationId: string }) {
  const input = { organizationId, siteId: site.id }
  const auth = useCall('getSitePublishingAuthById', input)
  const [isShown, setIsShown] = useState(false)
  const [asking, setAsking] = useState(false)
  const update = useAction(
    (body: Input<'updateSitePublishingAuthById'>['body']) => call('updateSitePublishingAuthById', { ...input, body }),
    { refreshes: ['getSitePublishingAuthById'], onDone: () => showDone(t.common.saved) },
  )
  const renew = useAction(() => call('regenerateSitePublishingAuthById', input), {
    refreshes: ['getSitePublishingAuthById'],
    onDone: () => {
      setAsking(false)
      showDone(t.common.saved)
    },
  })
  const orNone = (address: string): string | null => (address === '' ? null : address)
  return (
    <section aria-labelledby="visitor-sign-in">
      <header className="ui-heading">
        <h2 id="visitor-sign-in">{t.sites.signIn}</h2>
        <Button kind="quiet" icon={RefreshCw} onClick={() => setAsking(true)}>
          {t.sites.newKey}
        </Button>
      </header>
      <Loaded query={auth} lines={2}>
        {({ privateKey, fallbackURL = '', logoutURL = '' }) => (
          <>
            <div className="ui-form ui-two">
              <SavedField
                label={t.sites.signInPage}
                hint={t.sites.signInPageHint}
                type="url"
                value={fallbackURL}
                least={0}
                maxLength={2048}
                onSave={(address) => update.mutate({ fallbackURL: orNone(address) })}
              />
              <SavedField
                label={t.sites.signOutPage}
                type="url"
                value={logoutURL}
                least={0}
                maxLength={2048}
                onSave={(address) => update.mutate({ logoutURL: orNone(address) })}
              />
            </div>
            <div className="ui-token">
              <p>{t.sites.key}</p>
              {isShown ? (
                <code>{privateKey}</code>
              ) : (
                <Button kind="quiet" icon={Eye} onClick={() => setIsShown(true)}>
                  {t.sites.showKey}
                </Button>
              )}
              {navigator.clipboard !== undefined && (
                <IconButton
                  label={t.common.copy}
                  icon={Copy}
                  onClick={() => void navigator.clipboard.writeText(privateKey).then(() => showDone(t.common.copied))}
                />
              )}
            </div>
            <p className="ui-quiet">{t.sites.keyHint}</p>
          </>
        )}
      </Loaded>
      <FormDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.sites.newKey}
        action={t.sites.newKey}
        busy={renew.isPending}
        onSubmit={() => renew.mutate(undefined)}
      >
        <p>{t.sites.newKeyText}</p>
      </FormDialog>
    </section>
  )
}
