/** The inside of the worker that highlights code, with the same grammars as sites. */
import { makeTokenizer } from '../../../theme/tokenize.ts'
import type { HighlightAnswer, HighlightTask } from './worker.ts'

const tokenize = makeTokenizer(async () => {
  const { createJavaScriptRegexEngine } = await import('shiki/engine/javascript')
  return createJavaScriptRegexEngine({ forgiving: true })
})

addEventListener('message', async ({ data }: MessageEvent<HighlightTask>) => {
  const found = await tokenize(data.code, data.language).catch(() => undefined)
  postMessage({ id: data.id, runs: found?.runs } satisfies HighlightAnswer)
})
