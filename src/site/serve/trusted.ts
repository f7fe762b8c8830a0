/**
 * Where the contract says less of a value than our own types do: the API checked it when it was written, so that one look
 * is enough to know it again.
 */
import type { FileRef, JSONDocument } from '../../core/document/tree/nodes.ts'
import type { SpecPart } from '../../core/openapi/part.ts'
import type { CustomizationInput } from '../../theme/customization.ts'

export const isDocument = (value: unknown): value is JSONDocument =>
  isObject(value) && 'object' in value && value.object === 'document'

export const isFileRef = (value: unknown): value is FileRef =>
  isObject(value) && 'kind' in value && (value.kind === 'file' || value.kind === 'url')

export const isSpecPart = (value: unknown): value is SpecPart =>
  isObject(value) && 'operations' in value && 'refs' in value

export const isLook = (value: unknown): value is CustomizationInput => isObject(value)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
