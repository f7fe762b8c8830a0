/**
 * The icons that pages can have by name: the line drawings of published sites, so that the picker and the site agree. They are
 * loaded when the first one is to be seen. Markup is taken apart here, because nothing may be written into a page as a string.
 */
import { createElement, type ReactNode, useEffect, useState } from 'react'

type Drawings = Readonly<Record<string, string>>

let drawings: Drawings | undefined
let loading: Promise<Drawings> | undefined

function load(): Promise<Drawings> {
  loading ??= import('./icon-drawings.ts').then(({ default: all }) => {
    drawings = all
    return all
  })
  return loading
}

export function useDrawings(wanted = true): Drawings | undefined {
  const [found, setFound] = useState(drawings)
  useEffect(() => {
    if (wanted && found === undefined) void load().then(setFound)
  }, [wanted, found])
  return found
}

/** Names of other sets and with their prefixes are understood as on the site. */
const plainName = (name: string): string =>
  name.replace(/^(?:fa-)?(?:solid|regular|light|thin|duotone|brands)[ :/]+/, '').replace(/^fa-/, '')

export function NamedIcon({ name, size = 16 }: { name: string; size?: number }) {
  const drawing = useDrawings()?.[plainName(name)] ?? neutral
  return (
    <svg
      className="ui-mark"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {shapesOf(drawing)}
    </svg>
  )
}

/** What an unknown name gets. */
const neutral = '<circle cx="12" cy="12" r="9"/>'

const shapes = new Set(['path', 'circle', 'rect', 'line', 'polyline', 'polygon', 'ellipse'])

function shapesOf(markup: string): ReactNode[] {
  return [...markup.matchAll(/<([a-z]+) ([^>]*?)\/>/g)].flatMap(([, tag = '', attributes = ''], index) => {
    if (!shapes.has(tag)) return []
    const given = Object.fromEntries(
      [...attributes.matchAll(/([a-z0-9]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    )
    return [createElement(tag, { key: index, ...given })]
  })
}

/** Names that hold the words, those that begin with them first. */
export function findIcons(all: Drawings, words: string, most = 120): string[] {
  const wanted = words.trim().toLowerCase().replace(/\s+/g, '-')
  const found = Object.keys(all).filter((name) => name.includes(wanted))
  return found.sort((a, b) => Number(b.startsWith(wanted)) - Number(a.startsWith(wanted))).slice(0, most)
}
