/** Which kind of thing of a site an address asks for: one of few words, for the metrics. */
const special =
  /\/(~(?:search|tree|assets|files|pdf|feedback|view|mcp|share|preview|logout|icon\.svg)|mcp|favicon\.ico|robots\.txt|sitemap[\w.-]*|llms(?:-full)?\.txt|rss\.xml)(?=[/?]|$)/

export function routeOf(url: string): string {
  // Most addresses are of pages, and say so at a glance.
  if (!/[~.]|\/mcp/.test(url)) return 'page'
  const name = special.exec(url)?.[1]
  if (name === undefined) return 'page'
  return name.startsWith('sitemap') ? 'sitemap' : name
}
