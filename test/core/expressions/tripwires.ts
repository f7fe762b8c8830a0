/** Getters that note who reads what every object and every function inherits, and some that they should not. */
export function hangTripwires(trips: string[]): () => void {
  const places = [Object.prototype, Function.prototype, Array.prototype, String.prototype]
  const names = [
    ...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', 'toJSON'],
    ...['call', 'apply', 'bind', 'toLocaleString', '__defineGetter__', '__lookupGetter__'],
    ...['polluted', 'a', 'b', 'plan', 'absent', 'claims', 'unsigned', 'vars', 'optional', 'x'],
  ]
  const before: [place: object, name: string, was: PropertyDescriptor | undefined][] = []
  for (const place of places) {
    for (const name of names) {
      const was = Object.getOwnPropertyDescriptor(place, name)
      // Species lookups of list methods read this one, on the list's own prototype.
      if (name === 'constructor' && place === Array.prototype) continue
      if (was === undefined && place !== Object.prototype) continue
      before.push([place, name, was])
    }
  }
  for (const [place, name, was] of before) {
    const get = function (this: unknown) {
      trips[trips.length] = name
      return was?.get === undefined ? was?.value : Reflect.apply(was.get, this, [])
    }
    Object.defineProperty(place, name, { get, set: () => undefined, configurable: true })
  }
  return () => {
    for (const [place, name, was] of before) {
      if (was === undefined) Reflect.deleteProperty(place, name)
      else Object.defineProperty(place, name, was)
    }
  }
}
