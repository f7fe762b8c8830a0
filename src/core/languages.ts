/** The languages that a space can be translated into, each by its own name. */
// biome-ignore format: a table reads best as one.
export const languageNames = {
  en: 'English', fr: 'Français', de: 'Deutsch', es: 'Español', it: 'Italiano', pt: 'Português', 'pt-br': 'Português (Brasil)',
  ru: 'Русский', ja: '日本語', zh: '中文', yue: '粵語', ko: '한국어', ar: 'العربية', hi: 'हिन्दी', nl: 'Nederlands', pl: 'Polski',
  tr: 'Türkçe', sv: 'Svenska', no: 'Norsk', da: 'Dansk', fi: 'Suomi', el: 'Ελληνικά', cs: 'Čeština', hu: 'Magyar',
  ro: 'Română', th: 'ไทย', vi: 'Tiếng Việt', id: 'Bahasa Indonesia', ms: 'Bahasa Melayu', he: 'עברית', uk: 'Українська',
  sk: 'Slovenčina', bg: 'Български', hr: 'Hrvatski', lt: 'Lietuvių', lv: 'Latviešu', et: 'Eesti', sl: 'Slovenščina',
} as const

export type Language = keyof typeof languageNames

export const languages = Object.keys(languageNames) as [Language, ...Language[]]
