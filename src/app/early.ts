/** Runs before the first paint: the scheme and the language that this person chose on this device. */
const root = document.documentElement

root.dataset.theme = localStorage.getItem('lectern-theme') ?? 'system'
root.lang = (localStorage.getItem('lectern-language') ?? navigator.language).startsWith('de') ? 'de' : 'en'

export {}
