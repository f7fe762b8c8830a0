/** The words of the profile, in German. */
import type { accountEn } from '../en/account.ts'
import type { Widened } from '../texts.ts'

export const account: Widened<typeof accountEn> = {
  title: 'Profil',
  name: 'Name',
  email: 'E-Mail',
  language: 'Sprache',
  appearance: 'Darstellung',
  tokens: 'API-Tokens',
  tokensText: 'Mit einem Token darf ein Programm, was du darfst. Es wird einmal gezeigt.',
  newToken: 'Neues Token',
  tokenLabel: 'Wofür ist es?',
  tokenMade: 'Kopiere das Token jetzt. Es wird nicht noch einmal gezeigt.',
  tokenDeleted: 'Das Token gilt nicht mehr.',
  revoke: 'Widerrufen',
  lastUsed: 'zuletzt benutzt',
  neverUsed: 'nie benutzt',
  noTokens: 'Keine Tokens.',
  sessions: 'Wo du angemeldet bist',
  thisSession: 'dieser Browser',
  endSession: 'Dort abmelden',
  created: 'angelegt',
  password: 'Passwort',
  changePassword: 'Passwort ändern',
  currentPassword: 'Jetziges Passwort',
  currentPasswordHint: 'Leer, wenn du noch keines hast.',
  newPassword: 'Neues Passwort',
  newPasswordHint: 'Mindestens 10 Zeichen. Jede andere Sitzung endet.',
  passwordChanged: 'Das Passwort ist geändert.',
}
