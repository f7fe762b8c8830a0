/** What one page may have of what is costly; the rest of it is shown as its author wrote it. */
export const pageBudget = { formulas: 2_000, formulaCharacters: 100_000, codeLines: 10_000, embeds: 200 } as const
