/**
 * A server that speaks the protocols of three translation engines, with their faults when told to. It translates by
 * shouting: what is between tags comes back in capitals.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readConfig } from '../../src/platform/config.ts'
import type { TranslationEngine } from '../../src/platform/translate/engine.ts'
import { makeTranslator } from '../../src/platform/translate/make.ts'

/** What the server does to the next request. `silent` never answers; `otherForm` is JSON, and `tooFew` lacks a text. */
export type EngineFault = 'busy' | 'broken' | 'silent' | 'malformed' | 'otherForm' | 'tooFew'

export interface EngineServer {
  url: string
  faults: EngineFault[]
  /** What happens to answers to texts that hold a word. */
  damages: Map<string, (answer: string) => string>
  /** After so many texts it is broken for good. */
  brokenAfter: number
  /** Milliseconds before each answer. */
  delay: number
  /** Every text that was answered, again if it was answered again. */
  sent: string[]
  /** What came with the texts: the prompt, the context. */
  instructions: string[]
  reset(): void
  settingsOf(engine: string): Record<string, string>
  engineOf(engine: string, extra?: Record<string, string>): TranslationEngine | undefined
  close(): void
}

export async function startEngineServer(): Promise<EngineServer> {
  const shout = (text: string): string =>
    text.replace(/<[^>]*>|&\w+;|[a-z]/g, (part) => (part.length > 1 ? part : part.toUpperCase()))
  const answerTo = (text: string): string => {
    const damage = [...state.damages].find(([word]) => text.includes(word))?.[1]
    return damage ? damage(shout(text)) : shout(text)
  }

  const server = createServer(async (request, response) => {
    const body = JSON.parse(await bodyOf(request))
    const fault = state.sent.length >= state.brokenAfter ? 'broken' : state.faults.shift()
    const isTooFew = fault === 'tooFew'
    const json = (status: number, value: unknown, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
    if (fault === 'busy') return json(429, { error: { message: 'Slow down.' } }, { 'retry-after': '0.05' })
    if (fault === 'broken') return json(500, { error: 'Something broke.' }, { 'retry-after': '0' })
    if (fault === 'silent') return
    if (fault === 'otherForm') return json(200, { result: 'ok' })
    if (fault === 'malformed') return void response.end('<html>Oh no</html>')
    const answer = (texts: string[], instruction: unknown, value: unknown) => {
      if (!isTooFew) state.sent.push(...texts)
      state.instructions.push(typeof instruction === 'string' ? instruction : '')
      setTimeout(() => json(200, value), state.delay)
    }
    if (request.url === '/v2/translate' && request.headers.authorization === 'DeepL-Auth-Key key') {
      const translations = body.text.map((text: string) => ({ text: answerTo(text) }))
      return answer(body.text, body.context, { translations: translations.slice(isTooFew ? 1 : 0) })
    }
    if (request.url === '/translate' && body.api_key === 'key')
      return answer(body.q, undefined, { translatedText: body.q.map(answerTo).slice(isTooFew ? 1 : 0) })
    if (request.url === '/chat/completions' && request.headers.authorization === 'Bearer key' && body.model === 'm') {
      const { texts }: { texts: { id: number; text: string }[] } = JSON.parse(body.messages[1].content)
      const translations = texts.map(({ id, text }) => ({ id, text: answerTo(text) })).reverse()
      // What a model that was cut off leaves.
      const content = JSON.stringify({ translations }).slice(0, isTooFew ? -10 : undefined)
      const choices = [{ message: { content } }]
      return answer(
        texts.map(({ text }) => text),
        body.messages[0].content,
        { choices },
      )
    }
    return json(403, { error: { message: 'Wrong key.' } })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const state: EngineServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults: [],
    damages: new Map(),
    brokenAfter: Number.POSITIVE_INFINITY,
    delay: 0,
    sent: [],
    instructions: [],
    reset() {
      Object.assign(state, { faults: [], delay: 0, brokenAfter: Number.POSITIVE_INFINITY, sent: [], instructions: [] })
      state.damages.clear()
    },
    settingsOf: (engine) => ({
      LECTERN_TRANSLATE: engine,
      LECTERN_TRANSLATE_URL: state.url,
      LECTERN_TRANSLATE_KEY: 'key',
      LECTERN_TRANSLATE_MODEL: 'm',
      // Patient: on a busy machine an answer may take its time, and would be asked for again.
      LECTERN_TRANSLATE_TIMEOUT: '30',
    }),
    engineOf: (engine, extra = {}) => makeTranslator(readConfig({ ...state.settingsOf(engine), ...extra }).translate),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return state
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request.setEncoding('utf8')) text += part
  return text
}
