/** What a provider of single sign-on answered is not accepted. The reason is for the audit log, never for who is refused. */
export class SsoRefused extends Error {
  override name = 'SsoRefused'
}
