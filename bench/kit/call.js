// One call of the API with the bench's token; whatever is no success ends the run.
import { token } from './process.js'

export const headers = { authorization: `Bearer ${token}` }

export const caller = (server) => async (method, path, body) => {
  const response = await fetch(`${server.url}/v1${path}`, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body && JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return response.status === 204 ? undefined : response.json()
}
