/** What is wrong with a folder, told as text and as JSON by the commands that bring one in. */
import { CallFailed } from '../client/client.ts'
import type { ImportProblem } from '../core/import/tree.ts'
import { ImportProblems } from '../domain/import/commit.ts'
import { CommandError } from './plain-errors.ts'

export const spellProblem = ({ path, line, message }: ImportProblem): string =>
  `${path}${line === undefined ? '' : `:${line}`}: ${message}`

/** The same as a server tells it: `guide/a.md:12` is a line of a file. */
export const spellFailure = ({ resource, message }: { resource: string; message: string }): string =>
  `${resource}: ${message}`

/** Ends a strict command that was refused for problems of the folder, here or by a server; other errors go on. */
export function refuseProblems(error: unknown, { strict, json }: { strict?: boolean; json?: boolean }): never {
  const problems = strict ? problemsOf(error) : undefined
  if (!problems || !(error instanceof Error)) throw error
  if (json) console.log(JSON.stringify({ problems }))
  throw new CommandError([...problems.map(spellProblem), error.message].join('\n'))
}

function problemsOf(error: unknown): readonly ImportProblem[] | undefined {
  if (error instanceof ImportProblems) return error.problems
  if (!(error instanceof CallFailed)) return undefined
  return error.details?.map(({ field, message }) => ({ ...locationOf(field), message }))
}

function locationOf(resource: string): { path: string; line?: number } {
  const [, path = resource, line] = /^(.*):(\d+)$/.exec(resource) ?? []
  return line === undefined ? { path: resource } : { path, line: Number(line) }
}
