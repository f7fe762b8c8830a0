/** A value that is made when it is first asked for. A browser's formats of dates cost the first screen 25 ms, which has none. */
export function madeOnce<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}
