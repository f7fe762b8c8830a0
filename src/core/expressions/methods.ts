/** The methods an expression can call, on text and on lists. Each is chosen by the kind of the value, never found on it. */
import { type ArrowMethod, limits, type ValueMethod } from './ast.ts'
import { type Budget, bounded, isList, isSame, joinTexts, spend, stop, toText } from './values.ts'

export function callOnValues(
  budget: Budget,
  call: { object: unknown; method: ValueMethod; values: readonly unknown[] },
): unknown {
  const { object, method, values } = call
  if (typeof object === 'string') return callOnText(budget, { text: object, method, value: values[0] })
  if (isList(object)) return callOnList(budget, { list: checkedList(budget, object), method, values })
  return stop('kind', `“${method}” works on text and lists only.`)
}

export function callWithArrow(
  budget: Budget,
  call: { object: unknown; method: ArrowMethod; apply: (item: unknown) => unknown },
): unknown {
  const { object, method, apply } = call
  if (!isList(object)) return stop('kind', `“${method}” works on lists only.`)
  const list = checkedList(budget, object)
  switch (method) {
    case 'some':
      return list.some((item) => Boolean(apply(item)))
    case 'every':
      return list.every((item) => Boolean(apply(item)))
    case 'filter':
      return list.filter((item) => Boolean(apply(item)))
    case 'map':
      return list.map((item) => apply(item))
  }
}

type OnText = { text: string; method: ValueMethod; value: unknown }

function callOnText(budget: Budget, { text, method, value }: OnText): unknown {
  switch (method) {
    case 'includes':
      return find(budget, text, value) >= 0
    case 'indexOf':
      return find(budget, text, value)
    case 'startsWith':
      return text.startsWith(toText(budget, value))
    case 'endsWith':
      return text.endsWith(toText(budget, value))
    case 'toLowerCase':
      return bounded(budget, bounded(budget, text).toLowerCase())
    case 'toUpperCase':
      return bounded(budget, bounded(budget, text).toUpperCase())
    case 'trim':
      return bounded(budget, text).trim()
    case 'join':
      return stop('kind', '“join” works on lists only.')
  }
}

/** The search may compare every character with every other, so that is what it costs. */
function find(budget: Budget, text: string, value: unknown): number {
  const sought = toText(budget, value)
  if (sought.length > text.length) return -1
  spend(budget, Math.ceil((bounded(budget, text).length * Math.max(1, sought.length)) / 256))
  return text.indexOf(sought)
}

type OnList = { list: readonly unknown[]; method: ValueMethod; values: readonly unknown[] }

function callOnList(budget: Budget, { list, method, values }: OnList): unknown {
  switch (method) {
    case 'includes':
      // Unlike `indexOf` and `===`, JavaScript's `includes` finds a NaN.
      return list.some((item) => isSame(budget, item, values[0]) || (Number.isNaN(item) && Number.isNaN(values[0])))
    case 'indexOf':
      return list.findIndex((item) => isSame(budget, item, values[0]))
    case 'join': {
      const separator = values[0] === undefined ? ',' : toText(budget, values[0])
      return joinTexts({ budget, list, separator, depth: 0 })
    }
    default:
      return stop('kind', `“${method}” works on text only.`)
  }
}

function checkedList(budget: Budget, list: readonly unknown[]): readonly unknown[] {
  if (list.length > limits.list) stop('limit', `A list has at most ${limits.list} items.`)
  spend(budget, list.length)
  return list
}
