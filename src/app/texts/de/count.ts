/** A number with its noun. Each language has its own: how a noun follows a number differs. */
export const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`
