/** What the fields of the form share: the settings as they are being changed, and what would be refused. */
import { createContext, useContext } from 'react'
import type { Problems } from './problems.ts'
import type { Customization, Target } from './target.ts'

export interface Form {
  target: Target
  settings: Customization
  problems: Problems
  /** Since saving was tried, also fields that nobody has been in say what is wrong. */
  wasTried: boolean
  change: (change: (before: Customization) => Customization) => void
}

const FormContext = createContext<Form | undefined>(undefined)
export const FormProvider = FormContext.Provider

type Part = { [Name in keyof Customization]-?: Customization[Name] extends object ? Name : never }[keyof Customization]
type Changed<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined }

/** Fields as they are given; those that are given as nothing are left out. */
export function withFields<Fields extends object>(fields: Fields, change: Changed<Fields>): Fields {
  const next = { ...fields, ...change }
  for (const [name, value] of Object.entries(change)) if (value === undefined) Reflect.deleteProperty(next, name)
  return next
}

export function useCustomization() {
  const form = useContext(FormContext)
  if (!form) throw new Error('A setting stands in a form.')
  const { change } = form
  return {
    ...form,
    /** Changes fields of one part. */
    changePart: <Name extends Part>(name: Name, fields: Changed<Customization[Name]>): void =>
      change((before) => ({ ...before, [name]: withFields(before[name], fields) })),
  }
}
