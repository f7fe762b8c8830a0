/** An engine for trials: accents on the letters outside of tags, so that what was not translated shows. */
import type { TranslationEngine } from './engine.ts'

const plain = 'aceinouyACEINOUY'
const accented = 'áçéíñóúýÁÇÉÍÑÓÚÝ'

export const pseudoEngine: TranslationEngine = {
  name: 'pseudo',
  takesInstructions: false,
  limits: { texts: 100, characters: 50_000 },
  translate: async ({ texts }) => texts.map(accent),
}

const accent = (markup: string): string =>
  markup.replace(/<[^>]*>|&[a-z#0-9]+;|[a-z]/gi, (part) =>
    part.length > 1 ? part : (accented[plain.indexOf(part)] ?? part),
  )
