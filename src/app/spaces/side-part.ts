/** The side panel of a space as a part: a page can be written in before its tree is there. */
import { lazyPart } from '../frame/lazy.tsx'

export const SpaceSide = lazyPart(async () => (await import('./space-side.tsx')).SpaceSide)
