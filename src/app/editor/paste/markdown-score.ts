/** Whether plain text was written as Markdown. A single sign is no proof: `#` and `*` stand in any text. */

const signs: readonly [RegExp, number][] = [
  [/^#{1,6} \S/m, 2],
  [/^(?:```|~~~)/m, 3],
  [/^(?:[-*+]|\d+[.)]) \S.*\n(?:[-*+]|\d+[.)]) \S/m, 2],
  [/^[-*+] \[[ x]\] /m, 3],
  [/\[[^\]\n]+\]\((?:https?:|\/|#|\.)[^)\s]*\)/, 3],
  [/\*\*\S[^*\n]*\S?\*\*/, 2],
  [/(?:^|\s)`[^`\n]+`/, 1],
  [/^> \S/m, 1],
  [/^\|.+\|\s*\n\|[\s:|-]+\|/m, 4],
  [/^\{% \w+/m, 4],
  [/^!\[[^\]]*\]\([^)]+\)/m, 3],
  [/^(?:---|\*\*\*)$/m, 1],
]

const markdownScore = (text: string): number =>
  signs.reduce((score, [sign, weight]) => score + (sign.test(text) ? weight : 0), 0)

export const isMarkdown = (text: string): boolean => markdownScore(text) >= (text.includes('\n') ? 2 : 3)
