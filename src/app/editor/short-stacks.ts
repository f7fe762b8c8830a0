/**
 * One of the editor's libraries looks at the stack of an error when it is loaded, to learn which engine runs it. Chromium
 * answers by parsing the file of every function on that stack once more, and the file is the editor: a sixth of a second on
 * a slow phone. With stacks of one function that is a few lines. `index.ts` ends it when all is loaded.
 */
const limit: unknown = Reflect.get(Error, 'stackTraceLimit')

Reflect.set(Error, 'stackTraceLimit', 1)

export const restoreStacks = (): boolean => Reflect.set(Error, 'stackTraceLimit', limit)
