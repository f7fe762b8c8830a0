/** Random numbers from a seed (mulberry32): the same seed throws the same. */
export interface Dice {
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number
  pick<Of>(list: readonly Of[]): Of
}

export function makeDice(seed: number): Dice {
  let state = seed >>> 0
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
  const pick = <Of>(list: readonly Of[]): Of => {
    const at = below(list.length)
    for (const picked of list.slice(at, at + 1)) return picked
    throw new Error('nothing to pick from')
  }
  return { below, pick }
}
