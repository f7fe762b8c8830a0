/** The mark of a page: its emoji, its icon, or what its kind has. */
import { ExternalLink, FileText } from 'lucide-react'
import { NamedIcon } from '../kit/named-icons.tsx'
import type { PageNode } from '../pages/content-target.ts'

export function PageIcon({ page }: { page: Pick<PageNode, 'emoji' | 'type'> & { icon?: string | undefined } }) {
  if (page.emoji)
    return (
      <span className="ui-mark emoji" aria-hidden="true">
        {emojiOf(page.emoji)}
      </span>
    )
  if (page.icon) return <NamedIcon name={page.icon} size={15} />
  if (page.type === 'group') return null
  const Icon = page.type === 'link' ? ExternalLink : FileText
  return <Icon className="ui-mark" size={15} strokeWidth={1.5} aria-hidden="true" />
}

/** Emoji are stored as their code points, `1f4d6` or `1f1e9-1f1ea`. */
export const emojiOf = (code: string): string =>
  /^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(code)
    ? String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))
    : code
