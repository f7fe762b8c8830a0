/** Icons by name, and which of them hold given words. */
import { createElement, useEffect, useState } from 'react'
import { type Drawings, loadDrawings, loadedDrawings, shapesOf } from './icon-shapes.ts'

export function useDrawings(wanted = true): Drawings | undefined {
  const [found, setFound] = useState(loadedDrawings)
  useEffect(() => {
    if (wanted && found === undefined) void loadDrawings().then(setFound)
  }, [wanted, found])
  return found
}

export function NamedIcon({ name, size = 16 }: { name: string; size?: number }) {
  const shapes = shapesOf(useDrawings(), name)
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
      {shapes.map(([tag, attributes], index) => createElement(tag, { key: index, ...attributes }))}
    </svg>
  )
}

/** Names that hold the words, those that begin with them first. */
export function findIcons(all: Drawings, words: string, most = 120): string[] {
  const wanted = words.trim().toLowerCase().replace(/\s+/g, '-')
  const found = Object.keys(all).filter((name) => name.includes(wanted))
  return found.sort((a, b) => Number(b.startsWith(wanted)) - Number(a.startsWith(wanted))).slice(0, most)
}
