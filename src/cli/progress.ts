/** How far a long command is: a bar on a terminal, a line a stage in a log, nothing when a script listens. */

export interface Progress {
  /** A new stage; the total when it is known. */
  begin(stage: string, total: number | undefined): void
  advance(count: number): void
  end(): void
}

const noProgress: Progress = { begin() {}, advance() {}, end() {} }

const width = 30

export function makeProgress({ quiet }: { quiet: boolean }): Progress {
  if (quiet) return noProgress
  const terminal = process.stderr.isTTY
  let stage: { name: string; total: number | undefined; done: number } | undefined
  let drawn = 0

  const draw = (): void => {
    if (!stage) return
    drawn = Date.now()
    const { name, total, done } = stage
    const part = total ? Math.min(1, done / total) : 1
    const bar = total === undefined ? '' : `[${'#'.repeat(Math.round(part * width)).padEnd(width, '.')}] `
    process.stderr.write(
      `\r\u001b[K${bar}${name} ${done.toLocaleString('en')}${total ? ` of ${total.toLocaleString('en')}` : ''}`,
    )
  }
  const finish = (): void => {
    if (stage && terminal) {
      draw()
      process.stderr.write('\n')
    } else if (stage) process.stderr.write(`${stage.name}: ${stage.done}\n`)
    stage = undefined
  }

  return {
    begin(name, total) {
      finish()
      stage = { name, total, done: 0 }
      if (terminal) draw()
    },
    advance(count) {
      if (!stage) return
      stage.done += count
      if (terminal && Date.now() - drawn > 100) draw()
    },
    end: finish,
  }
}
