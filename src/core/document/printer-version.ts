/**
 * Another for each printer: the build puts in the hash of the code that printing runs, so that what one printer
 * made is never taken for the work of another. Run from sources, as tests are, it is always the same.
 */
declare const PRINTER_VERSION: string | undefined

export const printerVersion: string = typeof PRINTER_VERSION === 'undefined' ? 'sources' : PRINTER_VERSION
