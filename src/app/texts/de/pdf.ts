/** The words about books, in German. */
import type { pdfEn } from '../en/pdf.ts'
import type { Widened } from '../texts.ts'

export const pdf: Widened<typeof pdfEn> = {
  title: 'PDF',
  text: 'Ein Buch aus dem, was hier steht: ein Umschlag, ein Inhalt mit Seitenzahlen, ein Kapitel für jede Seite, und Links, die im Buch bleiben.',
  what: 'Was kommt hinein?',
  whole: 'Der ganze Bereich',
  wholeRequest: 'Der Bereich, wie ihn dieser Änderungsantrag haben will',
  below: (title) => `${title} und die Seiten darunter`,
  only: (title) => `Nur ${title}`,
  thisPage: 'Diese Seite',
  make: 'PDF machen',
  making: 'Das Buch wird gemacht. Hundert Seiten dauern Sekunden, tausend eine Minute oder mehr.',
  stop: 'Nicht weiter warten',
  ready: 'Das Buch ist fertig.',
  open: 'PDF öffnen',
  save: 'PDF sichern',
  failedNext: 'Drucke einen Teil davon: Öffne eine Seite und wähle PDF in ihrem Menü.',
  keep: 'Wer die Adresse hat, kann es eine Stunde lang abholen.',
}
