/** Highlighting with every language that there is a grammar for. */
import { makeTokenizer } from '../../theme/tokenize.ts'

export const tokenize = makeTokenizer(async () => (await import('shiki/langs')).bundledLanguages)
