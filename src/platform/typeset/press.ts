/**
 * The typesetter. All words reach it as data, never as markup. Images and formulas are tried one by one before a book is
 * set: one that cannot be drawn is replaced by its words, and costs nothing else.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { NodeCompiler, type NodeTypstDocument } from '@myriaddreamin/typst-ts-node-compiler'
import { tex2typst } from 'tex2typst'
import type { ImageSizes, Sheet, TypesetSetup } from './jobs.ts'

/** A sheet may hold thousands of formulas; those behind this many come as their source. */
const mostFormulas = 2_000

export class Press {
  readonly #compiler: NodeCompiler
  readonly #workspace: string
  readonly #template: string
  #loaded: string[] = []

  constructor({ template, workspace, fonts, systemFonts }: TypesetSetup) {
    const blobs = fonts.flatMap((folder) =>
      readdirSync(folder)
        .filter((file) => file.endsWith('.ttf'))
        .map((file) => readFileSync(`${folder}/${file}`)),
    )
    this.#workspace = workspace
    this.#template = readFileSync(template, 'utf8')
    this.#compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontBlobs: blobs }, { fontPaths: systemFonts }] })
  }

  /** The size of each image that can be drawn. */
  sizesOf(names: readonly string[], bytes: readonly Buffer[]): ImageSizes {
    this.load(names, bytes)
    const sizes: ImageSizes = {}
    for (const name of names) {
      const measured = this.#valueOf(
        '#context [#let size = measure(image(sys.inputs.name)); #metadata((width: size.width.pt(), height: size.height.pt()))<value>]',
        { name },
      )
      if (isSize(measured)) sizes[name] = measured
    }
    this.#compiler.evictCache(0)
    return sizes
  }

  load(names: readonly string[], bytes: readonly Buffer[]): void {
    for (const name of this.#loaded) this.#compiler.unmapShadow(`${this.#workspace}${name}`)
    this.#loaded = [...names]
    names.forEach((name, index) => {
      const content = bytes[index]
      if (content) this.#compiler.mapShadow(`${this.#workspace}${name}`, content)
    })
  }

  /** Every formula in the typesetter's own notation, where it has one and can be set. */
  formulasOf({ chapters }: Sheet): Record<string, string> {
    const formulas: Record<string, string> = {}
    for (const source of [...formulasIn(chapters)].slice(0, mostFormulas)) {
      const notation = notationOf(source)
      if (notation === undefined) continue
      const tried = { mainFileContent: '#eval(sys.inputs.formula, mode: "math")', inputs: { formula: notation } }
      if (!this.#compiler.compile(tried).hasError()) formulas[source] = notation
    }
    return formulas
  }

  /** How many pages a sheet has, and on which of them each label stands. */
  measure(sheet: Sheet): { pages: number; labelPages: Record<string, number> } {
    const document = this.#compile(sheet)
    const [labels]: unknown[] = this.#compiler.query(document, { selector: '<places>', field: 'value' })
    const measured = { pages: document.numOfPages, labelPages: Object.fromEntries(labelPagesIn(labels)) }
    this.#compiler.evictCache(0)
    return measured
  }

  print(sheet: Sheet): { pdf: Buffer; pages: number } {
    const document = this.#compile(sheet)
    const made = { pdf: this.#compiler.pdf(document), pages: document.numOfPages }
    // What it remembers of one sheet does not help with the next, and would be kept.
    this.#compiler.evictCache(0)
    return made
  }

  #compile(sheet: Sheet): NodeTypstDocument {
    const result = this.#compiler.compile({
      mainFileContent: this.#template,
      inputs: { book: JSON.stringify(sheet) },
    })
    const document = result.result
    if (document === null) throw new Error(JSON.stringify(result.takeError()?.shortDiagnostics ?? 'no document'))
    return document
  }

  /** What a small program marks as its value; nothing when it cannot be run. */
  #valueOf(source: string, inputs: Record<string, string>): unknown {
    const { result } = this.#compiler.compile({ mainFileContent: source, inputs })
    if (result === null) return undefined
    const found: unknown = this.#compiler.query(result, { selector: '<value>', field: 'value' })
    return Array.isArray(found) ? found[0] : undefined
  }
}

const isSize = (value: unknown): value is { width: number; height: number } =>
  typeof value === 'object' &&
  value !== null &&
  'width' in value &&
  'height' in value &&
  Number(value.width) > 0 &&
  Number(value.height) > 0

const labelPagesIn = (found: unknown): [label: string, page: number][] =>
  Array.isArray(found) ? found.filter(Array.isArray).map(([label, page]) => [String(label), Number(page)]) : []

function formulasIn(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const inner of value) formulasIn(inner, found)
  else if (typeof value === 'object' && value !== null) {
    if ('kind' in value && value.kind === 'math' && 'formula' in value && typeof value.formula === 'string')
      found.add(value.formula)
    for (const inner of Object.values(value)) formulasIn(inner, found)
  }
  return found
}

const longestFormula = 2_000
/** Each level of roots and accents doubles what turning a formula takes, whether it stands in braces or not. */
const deepestFormula = 10
const commandsInARow = /(?:\\[A-Za-z]+\s*){13}/

function isDeep(source: string): boolean {
  let depth = 0
  for (const [sign] of source.matchAll(/\\.|[{}]/g)) {
    if (sign === '{') depth++
    if (sign === '}') depth--
    if (depth > deepestFormula) return true
  }
  return commandsInARow.test(source)
}

function notationOf(source: string): string | undefined {
  if (source.length > longestFormula || isDeep(source)) return undefined
  try {
    const notation = tex2typst(source)
    // A number sign is how a formula would begin to run code; none of ours needs one.
    return notation.includes('#') ? undefined : notation
  } catch {
    return undefined
  }
}
