/**
 * The inside of the typesetting process: one book from standard input, one PDF to standard output.
 *
 * A process and not a thread, because the typesetter is native code that nothing but the end of its process can stop. It
 * sees an empty folder and the bytes it is given. Images and formulas are tried one by one before the book is set: one
 * that cannot be drawn is replaced, and costs nothing else.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { tex2typst } from 'tex2typst'
import { decodeBook, type Plain, type TypesetJob } from './typeset-format.ts'

/** A page may hold thousands of formulas; those behind this many come as their source. */
const mostFormulas = 5_000

const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk)
process.stdout.write(typeset(decodeBook(Buffer.concat(chunks))))

function typeset({ template, workspace, fonts, systemFonts, book, images }: TypesetJob): Buffer {
  const blobs = fonts.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.ttf'))
      .map((file) => readFileSync(`${folder}/${file}`)),
  )
  const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontBlobs: blobs }, { fontPaths: systemFonts }] })
  const drawn = new Set<string>()
  for (const { name, bytes } of images) {
    compiler.mapShadow(`${workspace}${name}`, bytes)
    if (compiles(compiler, `#image("${name}", width: 10pt)`)) drawn.add(name)
  }
  const data = withoutBroken(book, drawn)
  const formulas = formulasOf(compiler, data)
  const result = compiler.compile({
    mainFileContent: readFileSync(template, 'utf8'),
    inputs: { book: JSON.stringify({ ...data, formulas }) },
  })
  const document = result.result
  if (document === null) throw new Error(JSON.stringify(result.takeError()?.shortDiagnostics ?? 'no document'))
  return compiler.pdf(document)
}

function compiles(compiler: NodeCompiler, source: string): boolean {
  return !compiler.compile({ mainFileContent: source }).hasError()
}

/** Images are named by `image` and `logo` wherever they stand in a book. */
function withoutBroken(value: Plain, drawn: ReadonlySet<string>): { [name: string]: Plain } {
  const clean = (part: Plain): Plain => {
    if (Array.isArray(part)) return part.map(clean)
    if (typeof part !== 'object' || part === null) return part
    if (part.kind === 'image' && !drawn.has(String(part.image))) return { kind: 'text', text: part.alt ?? '' }
    return Object.fromEntries(
      Object.entries(part).flatMap(([name, inner]) =>
        (name === 'image' || name === 'logo') && typeof inner === 'string' && !drawn.has(inner)
          ? []
          : [[name, clean(inner)]],
      ),
    )
  }
  const cleaned = clean(value)
  return typeof cleaned === 'object' && cleaned !== null && !Array.isArray(cleaned) ? cleaned : {}
}

/** Every formula in the typesetter's own notation, where it has one and can be set. */
function formulasOf(compiler: NodeCompiler, book: Plain): Record<string, string> {
  const sources = new Set<string>()
  const collect = (part: Plain): void => {
    if (Array.isArray(part)) for (const inner of part) collect(inner)
    else if (typeof part === 'object' && part !== null) {
      if (part.kind === 'math' && typeof part.formula === 'string') sources.add(part.formula)
      for (const inner of Object.values(part)) collect(inner)
    }
  }
  collect(book)
  const formulas: Record<string, string> = {}
  for (const source of [...sources].slice(0, mostFormulas)) {
    const notation = notationOf(source)
    if (notation === undefined) continue
    const tried = { mainFileContent: '#eval(sys.inputs.formula, mode: "math")', inputs: { formula: notation } }
    if (!compiler.compile(tried).hasError()) formulas[source] = notation
  }
  return formulas
}

function notationOf(source: string): string | undefined {
  if (source.length > 2_000) return undefined
  try {
    const notation = tex2typst(source)
    // A number sign is how a formula would begin to run code; none of ours needs one.
    return notation.includes('#') ? undefined : notation
  } catch {
    return undefined
  }
}
