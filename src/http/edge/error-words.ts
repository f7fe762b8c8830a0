/** What the pages of errors say. */
import type { Language } from './language.ts'

interface ErrorWords {
  /** By status. */
  titles: Partial<Record<number, string>>
  wait: string
  busy: string
  failed: string
  broken: string
  /** By status, for languages that the API does not speak. */
  sentences: Partial<Record<number, string>>
  sentence: string
  request: string
}

const en: ErrorWords = {
  titles: {
    403: 'Not allowed',
    404: 'There is nothing here',
    405: 'That cannot be done here',
    413: 'That is too large',
    429: 'Too many attempts',
    503: 'One moment, please',
  },
  wait: 'One moment, please',
  busy: 'Many are reading at once. The page comes by itself in two seconds.',
  failed: 'That did not work',
  broken: 'Something went wrong',
  sentences: {},
  sentence: '',
  request: 'Request',
}

const de: ErrorWords = {
  titles: {
    403: 'Nicht erlaubt',
    404: 'Hier ist nichts',
    405: 'Das geht hier nicht',
    413: 'Das ist zu groß',
    429: 'Zu viele Versuche',
    503: 'Einen Moment, bitte',
  },
  wait: 'Einen Moment, bitte',
  busy: 'Gerade lesen viele zugleich. Die Seite kommt in zwei Sekunden von selbst.',
  failed: 'Das hat nicht geklappt',
  broken: 'Etwas ist schiefgegangen',
  sentences: {
    401: 'Melde dich an und versuch es noch einmal.',
    403: 'Das darfst du hier nicht, oder die Seite, von der du kommst, ist veraltet. Lade sie neu und versuch es noch einmal.',
    404: 'Es gibt das nicht, oder du darfst es nicht sehen.',
    405: 'Diese Adresse lässt sich so nicht benutzen.',
    413: 'Was du geschickt hast, ist größer, als hier angenommen wird.',
    429: 'Warte ein paar Minuten und versuch es dann noch einmal.',
    500: 'Der Fehler liegt bei uns. Die Nummer der Anfrage steht im Protokoll des Servers.',
    503: 'Der Server hat gerade viel zu tun. Versuch es gleich noch einmal.',
    507: 'Es ist kein Platz mehr, um das zu speichern. Nichts wurde geändert.',
  },
  sentence: 'Geh zurück und versuch es noch einmal.',
  request: 'Anfrage',
}

export const errorWords: Readonly<Record<Language, ErrorWords>> = { en, de }
