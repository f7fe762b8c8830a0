/**
 * Which addresses may be shown in a frame, and the address each player wants. A table: a host that is not in it is never
 * framed, and the policy of the page (`frameHosts`) names exactly these.
 */
export interface Frame {
  src: string
  title: string
  /** `video` keeps 16:9, `tall` has room to work in, `strip` is a player of one line. */
  shape: 'video' | 'tall' | 'strip'
}

interface Player {
  title: string
  shape: Frame['shape']
  /** Tried against the address without its scheme and `www.`. */
  match: RegExp
  src(found: RegExpExecArray, url: string): string
}

const players: readonly Player[] = [
  {
    title: 'YouTube',
    shape: 'video',
    match:
      /^(?:(?:m\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|embed\/|shorts\/|live\/)|youtu\.be\/)([\w-]{6,20})(?:[?&].*?\b(?:t|start)=(\d+))?/,
    src: ([, id, start]) => `https://www.youtube-nocookie.com/embed/${id}${start ? `?start=${start}` : ''}`,
  },
  {
    title: 'Vimeo',
    shape: 'video',
    match: /^(?:player\.)?vimeo\.com\/(?:video\/)?(\d+)(?:\/([\da-f]+))?/,
    src: ([, id, key]) => `https://player.vimeo.com/video/${id}?dnt=1${key ? `&h=${key}` : ''}`,
  },
  {
    title: 'Loom',
    shape: 'video',
    match: /^loom\.com\/(?:share|embed)\/([\da-f]{16,40})/,
    src: ([, id]) => `https://www.loom.com/embed/${id}`,
  },
  {
    title: 'Wistia',
    shape: 'video',
    match: /^(?:[\w-]+\.)?wistia\.(?:com|net)\/(?:medias|embed\/iframe)\/(\w+)/,
    src: ([, id]) => `https://fast.wistia.net/embed/iframe/${id}`,
  },
  {
    title: 'CodePen',
    shape: 'tall',
    match: /^codepen\.io\/([\w-]+)\/(?:pen|embed|full|details)\/(\w+)/,
    src: ([, user, pen]) => `https://codepen.io/${user}/embed/${pen}?default-tab=result`,
  },
  {
    title: 'CodeSandbox',
    shape: 'tall',
    match: /^codesandbox\.io\/(?:s|embed|p\/sandbox)\/([\w-]+)/,
    src: ([, id]) => `https://codesandbox.io/embed/${id}`,
  },
  {
    title: 'StackBlitz',
    shape: 'tall',
    match: /^stackblitz\.com\/edit\/([\w-]+)/,
    src: ([, id]) => `https://stackblitz.com/edit/${id}?embed=1`,
  },
  {
    title: 'JSFiddle',
    shape: 'tall',
    match: /^jsfiddle\.net\/((?:[\w-]+\/){1,3})/,
    src: ([, path]) => `https://jsfiddle.net/${path}embedded/result/`,
  },
  {
    title: 'Figma',
    shape: 'tall',
    match: /^(?:embed\.)?figma\.com\/(?:file|design|proto|board|embed)\b/,
    src: (_, url) => `https://www.figma.com/embed?embed_host=docs&url=${encodeURIComponent(url)}`,
  },
  {
    title: 'Miro',
    shape: 'tall',
    match: /^miro\.com\/app\/(?:board|live-embed)\/([\w=-]+)/,
    src: ([, id]) => `https://miro.com/app/live-embed/${id}/`,
  },
  {
    title: 'Google Docs',
    shape: 'tall',
    match: /^docs\.google\.com\/(document|spreadsheets|presentation)\/d\/([\w-]+)/,
    src: ([, kind, id]) => `https://docs.google.com/${kind}/d/${id}/preview`,
  },
  {
    title: 'Google Drive',
    shape: 'video',
    match: /^drive\.google\.com\/file\/d\/([\w-]+)/,
    src: ([, id]) => `https://drive.google.com/file/d/${id}/preview`,
  },
  {
    title: 'Spotify',
    shape: 'strip',
    match: /^open\.spotify\.com\/(?:embed\/)?(track|album|playlist|episode|show)\/(\w+)/,
    src: ([, kind, id]) => `https://open.spotify.com/embed/${kind}/${id}`,
  },
  {
    title: 'Arcade',
    shape: 'video',
    match: /^(?:app|demo)\.arcade\.software\/(?:share|embed)?\/?(\w+)/,
    src: ([, id]) => `https://demo.arcade.software/${id}?embed`,
  },
  {
    title: 'Airtable',
    shape: 'tall',
    match: /^airtable\.com\/(?:embed\/)?((?:app\w+\/)?shr\w+)/,
    src: ([, id]) => `https://airtable.com/embed/${id}`,
  },
]

/** The hosts that `src` can name, for the page's policy. */
export const frameHosts: readonly string[] = [
  'https://www.youtube-nocookie.com',
  'https://player.vimeo.com',
  'https://www.loom.com',
  'https://fast.wistia.net',
  'https://codepen.io',
  'https://codesandbox.io',
  'https://stackblitz.com',
  'https://jsfiddle.net',
  'https://www.figma.com',
  'https://miro.com',
  'https://docs.google.com',
  'https://drive.google.com',
  'https://open.spotify.com',
  'https://demo.arcade.software',
  'https://airtable.com',
]

export function frameOf(url: string): Frame | undefined {
  const rest = /^https?:\/\/(?:www\.)?(.+)$/i.exec(url)?.[1]
  if (rest === undefined || rest.length > 2000) return undefined
  for (const player of players) {
    const found = player.match.exec(rest)
    if (found !== null) return { src: player.src(found, url), title: player.title, shape: player.shape }
  }
  return undefined
}
