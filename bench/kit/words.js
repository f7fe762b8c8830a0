// Text with the frequencies of a real one: few words often, most of them seldom (Zipf), from a seed.
const syllables = 'ba co de fi gu la me no pa qui ra se ti vo xa ze bra clo dri fle'.split(' ')

export function wordOf(rank) {
  let word = ''
  for (let rest = rank + 20; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length]
  return word
}

export function makeWords({ seed = 1, vocabulary = 20_000 } = {}) {
  let state = seed
  const random = () => {
    state = (state * 1664525 + 1013904223) >>> 0
    return state / 2 ** 32
  }
  /** So many words; the chance of one falls with its rank. */
  return (count) => Array.from({ length: count }, () => wordOf(Math.floor(vocabulary ** random()) - 1)).join(' ')
}
