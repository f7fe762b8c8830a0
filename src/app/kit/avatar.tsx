/** A person as a small disc: the picture, or the first letters of the name on a colour of its own. */
export function Avatar({ name, photo, size = 24 }: { name: string; photo?: string | undefined; size?: 20 | 24 | 32 }) {
  const letters = name
    .split(/[\s@.]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
  const hue = [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 8
  if (photo) return <img className="ui-avatar" data-size={size} src={photo} alt="" title={name} />
  return (
    <span className="ui-avatar" data-size={size} data-hue={hue} title={name} aria-hidden="true">
      {letters}
    </span>
  )
}
