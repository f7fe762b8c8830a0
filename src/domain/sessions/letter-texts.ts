/** What the letters say. */

interface LetterTexts {
  resetSubject: string
  reset: (at: { app: string; link: string; hours: number }) => string
  inviteSubject: (organization: string) => string
  invite: (at: { organization: string; app: string; link: string; hours: number }) => string
  joinSubject: (organization: string) => string
  joinWithAccount: (at: { organization: string; app: string; link: string }) => string
  joinWithoutAccount: (at: { organization: string; app: string; link: string; hours: number }) => string
}

const en: LetterTexts = {
  resetSubject: 'Set a new password',
  reset: ({ app, link, hours }) =>
    `Somebody, probably you, asked for a new password at ${app}.\n\nChoose it here:\n\n${link}\n\nThe link works once, within ${hours} hours. If you did not ask for it, do nothing: your password stays as it is.\n`,
  inviteSubject: (organization) => `You were invited to ${organization}`,
  invite: ({ organization, app, link, hours }) =>
    `You were invited to ${organization} at ${app}.\n\nChoose a password here, and you are in:\n\n${link}\n\nThe link works once, within ${hours} hours. Later, ask for another at ${app}/signin/reset.\n`,
  joinSubject: (organization) => `Join ${organization}`,
  joinWithAccount: ({ organization, app, link }) =>
    `You have an account at ${app} already. Sign in with it, and join ${organization} here:\n\n${link}\n`,
  joinWithoutAccount: ({ organization, app, link, hours }) =>
    `Somebody, probably you, wants to join ${organization} at ${app}.\n\nMake your account here:\n\n${link}\n\nThe link works within ${hours} hours. If you did not ask for it, do nothing: there is no account.\n`,
}

const de: LetterTexts = {
  resetSubject: 'Neues Passwort wählen',
  reset: ({ app, link, hours }) =>
    `Jemand, wahrscheinlich du, hat unter ${app} um ein neues Passwort gebeten.\n\nHier wählst du es:\n\n${link}\n\nDer Link gilt einmal, ${hours} Stunden lang. Wenn du nicht darum gebeten hast, tu nichts: Dein Passwort bleibt, wie es ist.\n`,
  inviteSubject: (organization) => `Einladung zu ${organization}`,
  invite: ({ organization, app, link, hours }) =>
    `Du bist zu ${organization} unter ${app} eingeladen.\n\nWähle hier ein Passwort, und du bist dabei:\n\n${link}\n\nDer Link gilt einmal, ${hours} Stunden lang. Später bekommst du unter ${app}/signin/reset einen neuen.\n`,
  joinSubject: (organization) => `${organization} beitreten`,
  joinWithAccount: ({ organization, app, link }) =>
    `Du hast unter ${app} schon ein Konto. Melde dich damit an und tritt ${organization} hier bei:\n\n${link}\n`,
  joinWithoutAccount: ({ organization, app, link, hours }) =>
    `Jemand, wahrscheinlich du, möchte ${organization} unter ${app} beitreten.\n\nLege hier dein Konto an:\n\n${link}\n\nDer Link gilt ${hours} Stunden lang. Wenn du nicht darum gebeten hast, tu nichts: Es gibt dann kein Konto.\n`,
}

export const letterTexts: Readonly<Record<'en' | 'de', LetterTexts>> = { en, de }
