/**
 * The values that the settings of a look can take: the API's shape checks by them, and the app offers them. Plain lists, so
 * that whoever offers them does not carry what checks them.
 */
export const locales = ['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru', 'ar'] as const
export type Locale = (typeof locales)[number]

export const themes = ['clean', 'muted', 'bold', 'gradient'] as const
export const corners = ['straight', 'rounded', 'circular'] as const
export const depths = ['subtle', 'flat'] as const
export const linkLooks = ['default', 'accent'] as const
export const backgrounds = ['plain', 'match'] as const
export const iconStyles = ['regular', 'solid', 'duotone', 'light', 'thin'] as const
export const sideGrounds = ['default', 'filled'] as const
export const listStyles = ['default', 'pill', 'line'] as const
export const searchFields = ['prominent', 'subtle'] as const
export const headerPresets = ['default', 'bold', 'contrast', 'custom', 'none'] as const
export const linkStyles = ['link', 'button-primary', 'button-secondary'] as const
export const linkTargets = ['self', 'blank'] as const
export const bannerStyles = ['info', 'warning', 'danger', 'success'] as const
export const schemes = ['light', 'dark', 'system'] as const

export const fonts = [
  'ABCFavorit',
  'Inter',
  'Roboto',
  'RobotoSlab',
  'OpenSans',
  'SourceSansPro',
  'Lato',
  'Ubuntu',
  'Raleway',
  'Merriweather',
  'Overpass',
  'NotoSans',
  'IBMPlexSerif',
  'Poppins',
  'FiraSans',
] as const
export const monospaceFonts = [
  'FiraCode',
  'IBMPlexMono',
  'JetBrainsMono',
  'SourceCodePro',
  'RobotoMono',
  'SpaceMono',
  'DMMono',
  'Inconsolata',
] as const

export const socialPlatforms = [
  'twitter',
  'instagram',
  'facebook',
  'linkedin',
  'github',
  'discord',
  'slack',
  'youtube',
  'tiktok',
  'reddit',
  'bluesky',
  'mastodon',
  'threads',
  'medium',
] as const

/** What the menu of a page offers, in its order; the first is the main button. */
export const pageActions = ['assistant', 'external-ai', 'markdown', 'mcp', 'git', 'pdf'] as const
