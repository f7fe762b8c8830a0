/** Takes over the drawings that another page's sprite has and this one lacks. */
export function addSymbols(parsed: Document): void {
  const sprite = document.getElementById('sprite')
  if (sprite === null) return
  for (const symbol of parsed.querySelectorAll('#sprite > symbol')) {
    if (document.getElementById(symbol.id) === null) sprite.append(document.importNode(symbol, true))
  }
}
