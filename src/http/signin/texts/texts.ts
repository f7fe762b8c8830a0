/** What the pages of signing in say: each language has all of it. */
import type { Language } from '../../edge/language.ts'
import type { Html } from '../page.ts'

export interface Texts {
  language: Language
  signIn: string
  email: string
  password: string
  forgotten: string
  or: string
  withSso: string
  enterEmail: string
  enterPassword: string
  wrongCredentials: string
  tooMany: (minutes: number) => string
  signedOut: string
  linkSent: string
  signOut: string
  signOutHint: string
  /** The link that sets a password, and forgetting one. */
  choosePassword: string
  choosePasswordFor: (who: Html) => Html
  newPassword: string
  newPasswordHint: string
  repeatPassword: string
  setPassword: string
  passwordProblem: { short: string; long: string; address: string; uniform: string; unequal: string }
  linkEnded: string
  linkEndedHint: (hours: number) => string
  askForLink: string
  forgottenTitle: string
  forgottenHint: string
  sendLink: string
  back: string
  inviteEndedHint: string
  joinRefused: string
  backToSignIn: string
  noMail: (command: Html) => Html
  /** Invitations. */
  join: (organization: string) => string
  joinButton: string
  signedInAs: (who: Html) => Html
  letterSent: string
  noAccountAsk: string
  noAccountLetter: string
  newAccountFor: (who: Html) => Html
  name: string
  enterName: string
  /** Single sign-on. */
  sso: string
  noSso: string
  continueAs: (who: Html) => Html
  refusedTitle: string
  refused: string
  refusedHint: string
  account: AccountTexts
}

interface AccountTexts {
  title: string
  back: string
  passwordChanged: string
  wrongPassword: string
  notChanged: string
  sessions: string
  thisBrowser: string
  session: (facts: { address: string; since: string; used: string }) => string
  signOutOf: (facts: { browser: string; since: string }) => string
  signOutEverywhere: string
  tokens: string
  noTokens: string
  tokenUnused: (made: string) => string
  tokenUsed: (facts: { made: string; used: string }) => string
  revoke: string
  revokeOf: (label: string) => string
  presentPassword: string
  changePassword: string
  unknownBrowser: string
  browserOn: (facts: { browser: string; system: string }) => string
}
