/**
 * Names of the editor's nodes and marks. The editor's schema may not have a hyphen in a name, nor one name for a node and a
 * mark, so block types change their hyphens and marks have a prefix.
 */
import type { MarkType } from '../../../core/document/tree/nodes.ts'

export const nodeName = (type: string): string => type.replaceAll('-', '_')
export const typeName = (name: string): string => name.replaceAll('_', '-')
export const markName = (type: MarkType): string => `m_${type}`

/** Inlines with words inside: marks on these words, in the editor. */
export const wrappingInlines: readonly string[] = ['link', 'annotation']
