/** The network address a request comes from: that of the connection, or what a proxy that is believed says of it. */
import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'

export type AddressOf = (request: IncomingMessage) => string

/** `trusted` are addresses of proxies as `LECTERN_TRUST_PROXY` has them. */
export function makeAddressOf(trusted: string | undefined): AddressOf {
  if (trusted === undefined) return ({ socket }) => socket.remoteAddress ?? ''
  const isTrusted = proxyAddress.compile(trusted.split(',').map((address) => address.trim()))
  return (request) => proxyAddress(request, isTrusted)
}

const loopback = proxyAddress.compile('loopback')

/** Whether an IP address is of this machine alone; IPv4 inside IPv6 counts as what it is. */
export const isLoopback = (address: string): boolean => loopback(address, 0)
