/**
 * Which internet addresses are public.
 *
 * An IPv6 address may carry an IPv4 address inside (mapped, compatible, NAT64, 6to4): it is judged by what it carries.
 * Everything not known to be public is not: only 2000::/3 is handed out to networks today.
 */
import { isIP } from 'node:net'

/** `private` covers what an operator may allow: loopback and the ranges of private networks. */
export type Reach = 'public' | 'private' | 'never'

export function reachOf(address: string): Reach {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  const family = isIP(bare)
  if (family === 4) return reachOfV4(bytesOfV4(bare))
  if (family === 6) return reachOfV6(groupsOf(bare))
  return 'never'
}

// biome-ignore format: a table reads best as one.
const v4Ranges: readonly [base: string, bits: number, reach: Reach][] = [
  ['127.0.0.0',       8, 'private'], // Loopback.
  ['10.0.0.0',        8, 'private'],
  ['172.16.0.0',     12, 'private'],
  ['192.168.0.0',    16, 'private'],
  ['100.64.0.0',     10, 'private'], // Shared by carriers.
  ['0.0.0.0',         8, 'never'],   // "This host": connects to loopback.
  ['169.254.0.0',    16, 'never'],   // Link-local, where clouds keep their credentials.
  ['192.0.0.0',      24, 'never'],   // Protocol assignments.
  ['192.0.2.0',      24, 'never'],   // Documentation, here and below.
  ['198.51.100.0',   24, 'never'],
  ['203.0.113.0',    24, 'never'],
  ['192.88.99.0',    24, 'never'],   // 6to4 relays.
  ['198.18.0.0',     15, 'never'],   // Benchmarks.
  ['224.0.0.0',       4, 'never'],   // Multicast.
  ['240.0.0.0',       4, 'never'],   // Reserved, and broadcast.
]

function reachOfV4(bytes: readonly number[]): Reach {
  const number = numberOf(bytes)
  const range = v4Ranges.find(([base, bits]) => number >>> (32 - bits) === numberOf(bytesOfV4(base)) >>> (32 - bits))
  return range?.[2] ?? 'public'
}

function reachOfV6(groups: readonly number[]): Reach {
  const [a = 0, b = 0] = groups
  const zeros = (until: number) => groups.slice(0, until).every((group) => group === 0)
  const carried = (index: number) => reachOfV4(splitGroups(groups.slice(index, index + 2)))

  if (zeros(7) && groups[7] === 1) return 'private'
  if (zeros(5) && groups[5] === 0xffff) return carried(6)
  if (zeros(4) && groups[4] === 0xffff && groups[5] === 0) return carried(6)
  if (zeros(6)) return 'never'
  if (a === 0x64 && b === 0xff9b) return groups.slice(2, 6).every((group) => group === 0) ? carried(6) : 'never'
  if (a === 0x2002) return carried(1)
  if ((a & 0xfe00) === 0xfc00) return 'private'
  if ((a & 0xe000) !== 0x2000) return 'never'
  // Teredo and the other protocol assignments of 2001::/23, and the ranges of documentation.
  if (a === 0x2001 && (b < 0x200 || b === 0xdb8)) return 'never'
  if (a === 0x3fff && b < 0x1000) return 'never'
  // Networks that translate addresses end them in ::5efe:a.b.c.d (ISATAP).
  if (groups[5] === 0x5efe && (groups[4] === 0 || groups[4] === 0x200))
    return carried(6) === 'public' ? 'public' : 'never'
  return 'public'
}

const bytesOfV4 = (text: string): number[] => text.split('.').map(Number)

const numberOf = (bytes: readonly number[]): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0) >>> 0

const splitGroups = (groups: readonly number[]): number[] => groups.flatMap((group) => [group >> 8, group & 0xff])

/** The eight groups of an address that is known to be well formed. */
function groupsOf(text: string): number[] {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  const plain = dotted ? `${dotted[1]}${hexPair(dotted[2] ?? '')}` : text
  const [head = '', tail] = plain.split('::')
  const parse = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const before = parse(head)
  const after = tail === undefined ? [] : parse(tail)
  return [...before, ...Array(8 - before.length - after.length).fill(0), ...after]
}

const hexPair = (v4: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = bytesOfV4(v4)
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
}
