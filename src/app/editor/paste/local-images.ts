/**
 * Images of pasted HTML whose address means nothing to readers: the image itself as an address, or one that only the program or
 * the device knows which it was copied from. They are stored as files where they can be had; a document never holds such an address.
 */

import type { Node as EditorNode, Slice } from 'prosemirror-model'
import type { Transaction } from 'prosemirror-state'
import { cutTo } from '../../../core/text.ts'
import { isLocalUrl } from '../document/parse-rules.ts'
import type { ImageToStore } from './files.ts'

const isLocal = (node: EditorNode): boolean =>
  node.type.name === 'image' && node.attrs.data.ref?.kind === 'url' && isLocalUrl(node.attrs.data.ref.url)

export function hasLocalImages({ content }: Slice): boolean {
  let found = false
  content.descendants((node) => {
    found ||= isLocal(node)
    return !found
  })
  return found
}

/**
 * Takes them out of what a change inserts, and says what is to be stored where. Images that are not in their address are those
 * files that came with it, if there are as many.
 */
export function takeLocalImages(tr: Transaction, files: readonly File[]): { images: ImageToStore[]; missing: number } {
  const found: { pos: number; url: string; alt: string }[] = []
  tr.doc.descendants((node, pos) => {
    const [only] = node.children
    if (node.type.name !== 'images' || only === undefined || !isLocal(only)) return true
    found.push({ pos, url: only.attrs.data.ref.url, alt: only.attrs.data.alt ?? '' })
    return false
  })
  const inside = found.map(({ url, alt }) => fileOf(url, alt))
  const given = files.filter(({ type }) => type.startsWith('image/'))
  const areGiven = given.length === inside.filter((file) => file === undefined).length
  const images: ImageToStore[] = []
  let missing = 0
  // The last first: what stands before stays where it is.
  for (const [at, { pos, alt }] of [...found.entries()].reverse()) {
    const file = inside[at] ?? (areGiven ? given.pop() : undefined)
    const before = tr.steps.length
    tr.delete(pos, pos + (tr.doc.nodeAt(pos)?.nodeSize ?? 0))
    const later = tr.mapping.slice(before)
    for (const image of images) image.pos = later.map(image.pos)
    if (file === undefined) missing += 1
    else images.unshift({ file, alt, pos: later.map(pos, -1) })
  }
  return { images, missing }
}

function fileOf(url: string, alt: string): File | undefined {
  const comma = url.indexOf(',')
  const [type = '', ...parameters] = url.slice('data:'.length, Math.max(0, comma)).toLowerCase().split(';')
  if (!/^data:/i.test(url) || comma < 0) return undefined
  try {
    const body = decodeURIComponent(url.slice(comma + 1))
    const bytes = parameters.includes('base64')
      ? Uint8Array.from(atob(body), (sign) => sign.charCodeAt(0))
      : new TextEncoder().encode(body)
    return new File([bytes], nameOf(type, alt), { type })
  } catch {
    return undefined
  }
}

/** A name that a file may have: of the words that stand for the image, or just that it is one. */
function nameOf(type: string, alt: string): string {
  const words = cutTo(alt.replace(/[^\p{L}\p{N} _-]+/gu, ' ').trim(), 60).trim()
  const ending = (type.split('/')[1] ?? 'png').replace('jpeg', 'jpg').replace(/\+.*$/, '')
  return `${words === '' ? 'image' : words}.${ending}`
}
