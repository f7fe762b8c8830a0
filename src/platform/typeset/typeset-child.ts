/**
 * The inside of a typesetting process: jobs from standard input, answers to standard output.
 *
 * A process and not a thread, because the typesetter is native code that nothing but the end of its process can stop. It
 * sees an empty folder and the bytes it is given.
 */
import { bindParts } from './bind.ts'
import { decodeFrames, encodeFrame, type Frame } from './frames.ts'
import type { TypesetAnswer, TypesetJob } from './jobs.ts'
import { Press } from './press.ts'

const largest = 1024 * 1024 * 1024
const press = new Press(JSON.parse(process.argv[2] ?? '{}'))

for await (const { head, bytes } of decodeFrames<TypesetJob>(process.stdin, largest)) {
  const answer = await perform(head, bytes)
  for (const part of encodeFrame<TypesetAnswer>({ ...answer, head: { ...answer.head, resident: residentNow() } }))
    process.stdout.write(part)
}

async function perform(job: TypesetJob, bytes: readonly Buffer[]): Promise<Frame<Omit<TypesetAnswer, 'resident'>>> {
  switch (job.kind) {
    case 'try':
      return { head: { sizes: press.sizesOf(job.images, bytes) }, bytes: [] }
    case 'measure': {
      const formulas = press.formulasOf(job.sheet)
      return { head: { ...press.measure({ ...job.sheet, formulas }), formulas }, bytes: [] }
    }
    case 'draw': {
      press.load(job.images, bytes)
      const { pdf, pages } = press.print(job.sheet)
      return { head: { pages }, bytes: [pdf] }
    }
    case 'bind':
      return { head: {}, bytes: [await bindParts(bytes, job)] }
  }
}

function residentNow(): number {
  return process.memoryUsage.rss() / 2 ** 20
}
