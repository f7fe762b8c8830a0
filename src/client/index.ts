/**
 * What the package exports as `lectern/client`: the typed client for programs of others, in a browser or in Node. The
 * build swaps the contract for its rows of name, method and path, so that nothing else is loaded.
 */
import { type Client, makeClient } from './client.ts'
import { type HttpOptions, httpTransport } from './http.ts'

/** `const lectern = connect({ url: 'https://docs.example.org', token })`. */
export const connect = (options: HttpOptions): Client => makeClient(httpTransport(options))

export {
  type Answer,
  type AnswerHeaders,
  CallFailed,
  type Client,
  makeClient,
  type Transport,
} from './client.ts'
export { type EventStreamOptions, type ServerEvent, StreamRefused, streamEvents } from './events.ts'
export { type HttpOptions, httpTransport, newIdempotencyKey } from './http.ts'
export { walk } from './walk.ts'
