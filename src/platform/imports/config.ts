/** What an import may take, and how long a request waits for one. */
export interface ImportLimits {
  pages: number
  /** All that is fetched, and all that it unpacks to. */
  bytes: number
  milliseconds: number
}

export interface ImportConfig {
  limits: ImportLimits
  /** How long `content/import` waits for its run before it answers with what is done. */
  waitMilliseconds: number
}

type Read = <T>(name: string, fallback: string, parse: (text: string) => T | undefined, expected: string) => T

export function readImportConfig(read: Read): ImportConfig {
  const megabytes = read('LECTERN_IMPORT_MEGABYTES', '500', number(1, 10_000), 'a number of megabytes from 1 to 10000')
  const seconds = read('LECTERN_IMPORT_SECONDS', '600', number(1, 3600), 'a number of seconds from 1 to 3600')
  return {
    limits: {
      pages: read('LECTERN_IMPORT_PAGES', '2000', number(1, 10_000), 'a number of pages from 1 to 10000'),
      bytes: megabytes * 1024 * 1024,
      milliseconds: seconds * 1000,
    },
    waitMilliseconds: 1000 * read('LECTERN_IMPORT_WAIT', '120', number(0, 600), 'a number of seconds from 0 to 600'),
  }
}

const number =
  (least: number, most: number) =>
  (text: string): number | undefined => {
    const value = Number(text)
    return /^\d+$/.test(text) && value >= least && value <= most ? value : undefined
  }
