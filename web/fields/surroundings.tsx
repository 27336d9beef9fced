import { useLingui } from '@lingui/react/macro'
import { createContext, type ReactNode, useContext } from 'react'
import type { FileAnswer } from '../../shared/fields/answer.ts'
import type { Field, FieldOf } from '../../shared/fields/definition.ts'
import { type Option, Select } from '../ui/Choice.tsx'
import type { FieldProps } from '../ui/Field.tsx'

/** Context that a form provides to the field inputs inside it. */

/** Function that uploads a file as soon as the person chooses it. Returns the file's reference. */
export type Upload = (field: FieldOf<'file'>, file: File) => Promise<FileAnswer>

/** Replaces the upload in a preview, which stores no files. Returns a reference with a random id. */
export const uploadNothing: Upload = async (_field, { name }) => ({ owner: 'preview', id: crypto.randomUUID(), name })

export interface FieldsContextValue {
  today: string
  upload: Upload
  /** Component for a field with many options: the browser's own select, or a select with search for staff. */
  LongChoice: (props: LongChoiceProps) => ReactNode
  /** Price range of the form, as text. Shown until the answers determine the price. */
  range?: string
}
export interface LongChoiceProps extends FieldProps {
  options: readonly Option<string>[]
  value: string
  onChange: (value: string) => void
}

export const NativeChoice = ({ onChange, ...rest }: LongChoiceProps) => {
  const { t } = useLingui()
  return <Select {...rest} placeholder={t`Choose one`} onChange={({ target }) => onChange(target.value)} />
}

export const SurroundingsContext = createContext<FieldsContextValue | null>(null)
export function useSurroundings(): FieldsContextValue {
  const surroundings = useContext(SurroundingsContext)
  if (!surroundings) throw new Error('A field stands in FieldSteps or StaffFields.')
  return surroundings
}

export interface InputProps<F extends Field = Field> {
  field: F
  value: unknown
  onChange: (value: unknown) => void
  /** Returns the error of the field, or of one part of the field, such as 'zipcode' or '0.price', if `part` is set. */
  errorAt: (part?: string) => string | undefined
}
