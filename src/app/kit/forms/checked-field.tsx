/** A field that says what is wrong with it in the place of its hint. */
import type { ComponentProps } from 'react'
import { TextField } from '../field.tsx'
import { FieldProblem } from './problem.tsx'

interface CheckedFieldProps extends ComponentProps<typeof TextField> {
  problem: string | undefined
}

export const CheckedField = ({ problem, hint, ...rest }: CheckedFieldProps) => (
  <TextField
    {...rest}
    aria-invalid={problem !== undefined || undefined}
    hint={problem === undefined ? hint : <FieldProblem text={problem} />}
  />
)
