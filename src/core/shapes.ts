/** Small shapes that more than one part of the API is made of, and that pure logic needs too. */
import { z } from 'zod'
import { type ContentRefOf, type RefKind, ref } from './document/content-ref.ts'
import { emojiCode } from './document/syntax/emoji.ts'
import { Problem } from './document/tree/fields.ts'
import type { JSONDocument as Document } from './document/tree/nodes.ts'

export const Id = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/, 'must be an id')
export const Flag = z.boolean()
/** As characters or as code points (`1f44d`). */
export const Emoji = z
  .string()
  .max(64)
  .refine((text) => emojiCode(text) !== undefined, 'must be an emoji')

/** With a host and a port that there can be: what programs cannot read is refused where it is written. */
const readable =
  /^https?:\/\/(?:[^/?#@\\]+@)?(?:\[[\da-f:.]+\]|[^/?#@:[\]\\<>^`{|}"%]+)(?::\d{0,4}|:[1-5]\d{4}|:6[0-4]\d{3}|:65[0-4]\d\d|:655[0-2]\d|:6553[0-5])?(?:[/?#]|$)/i
const unreadable = /[\u0000-\u001f\u007f]/

export const WebUrl = z
  .string()
  .max(2048)
  .regex(/^https?:\/\/[^\s/?#]+(?:[/?#]\S*)?$/i, 'must be an http or https address')
  .refine((text) => readable.test(text) && !unreadable.test(text), 'must be an address that can be read')
  .meta({ format: 'uri' })

/** A reference of one of these kinds, read by the rows that read it in documents. */
function refShape<Kind extends RefKind = RefKind>(...kinds: Kind[]) {
  const read = ref(...kinds)
  return z.custom<ContentRefOf<Kind>>().transform((value, context): ContentRefOf<Kind> => {
    try {
      return read(value, '')
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem
      const path = problem.path.split('.').filter((part) => part !== '')
      context.issues.push({ code: 'custom', message: problem.message, path, input: value })
      return z.NEVER
    }
  })
}

export const ContentRef = refShape().meta({ id: 'ContentRef' })
export const FileRef = refShape('file', 'url').meta({ id: 'FileRef' })

/** Only that it is a document at all: `validateDocument` reads it, which may take long and happens aside. */
export const JSONDocument = z
  .custom<Document>(
    (value) => typeof value === 'object' && value !== null && 'object' in value && value.object === 'document',
    'must be a document',
  )
  .meta({ id: 'JSONDocument' })
