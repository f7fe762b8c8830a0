/** Stands between Lectern and PostgreSQL, and can let packets disappear without closing anything, as a bad network does. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Proxy {
  port: number
  /** From now on nothing gets through, either way; new connections are taken and never answered. */
  swallow(): void
  /** New connections work again. Those whose packets were lost stay as dead as they are. */
  heal(): void
  close(): void
}

/** `cutAfter`: a client's packet that holds this text still gets through, and then the connection is gone. */
export async function startProxy(target: string, { cutAfter }: { cutAfter?: string } = {}): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let isSwallowing = false
  const server = createServer((near) => {
    const keep = (socket: Socket) => {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    keep(near)
    if (isSwallowing) return
    const far = connect(target)
    keep(far)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => {
        if (isSwallowing) lost.add(near)
        if (lost.has(near)) return
        to.write(bytes)
        if (from !== near || cutAfter === undefined || !bytes.includes(cutAfter)) return
        // The answer never arrives, and neither does anything else.
        lost.add(near)
        setTimeout(() => near.destroy(), 100)
      })
      from.on('close', () => to.destroy())
    }
  })
  const lost = new WeakSet<Socket>()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    swallow: () => {
      isSwallowing = true
      for (const socket of sockets) lost.add(socket)
    },
    heal: () => {
      isSwallowing = false
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
