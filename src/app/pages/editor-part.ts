/** The editor as a part that is loaded when a page is opened to be written. */
import { lazyPart } from '../frame/lazy.tsx'

export const PageEditor = lazyPart(async () => (await import('../editor/index.ts')).PageEditor)
