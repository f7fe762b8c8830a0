/** The words about books. */
export const pdfEn = {
  title: 'PDF',
  text: 'A book of what stands here: a cover, contents with page numbers, a chapter for each page, and links that lead within the book.',
  what: 'What is in it?',
  whole: 'The whole space',
  wholeRequest: 'The space as this change request would have it',
  below: (title: string) => `${title} and the pages below it`,
  only: (title: string) => `${title} alone`,
  thisPage: 'This page',
  make: 'Make the PDF',
  making: 'The book is being made. A hundred pages take seconds, a thousand a minute or more.',
  stop: 'Stop waiting',
  ready: 'The book is ready.',
  open: 'Open the PDF',
  save: 'Save the PDF',
  failedNext: 'Print a part of it: open a page and choose PDF in its menu.',
  keep: 'Whoever has its address can fetch it for an hour.',
}
