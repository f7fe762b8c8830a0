export {
  type Answered,
  type Call,
  CallFailed,
  type Client,
  type InputOf,
  makeClient,
  type Transport,
} from './client.ts'
export { type HttpOptions, httpTransport } from './http.ts'
export { inProcessTransport } from './in-process.ts'
export { walk } from './walk.ts'
