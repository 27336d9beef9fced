import { useLingui } from '@lingui/react/macro'
import { createContext, type ReactNode, useContext } from 'react'
import type { FileAnswer } from '../../shared/fields/answer.ts'
import type { Field, FieldOf } from '../../shared/fields/definition.ts'
import { type Option, Select } from '../ui/Choice.tsx'
import type { FieldProps } from '../ui/Field.tsx'

/** Context that field inputs need from the form around them. */

/** Uploads a file as soon as it is chosen, and returns its reference. */
export type Upload = (field: FieldOf<'file'>, file: File) => Promise<FileAnswer>

/** Replaces an upload in a preview, which stores no files. */
export const uploadNothing: Upload = async (_field, { name }) => ({ owner: 'preview', id: crypto.randomUUID(), name })

export interface FieldsContextValue {
  today: string
  upload: Upload
  /** Select for many options: the browser's own list, or for staff one with search. */
  LongChoice: (props: LongChoiceProps) => ReactNode
  /** Price range of the form, in words. Shown until the answers determine the price. */
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
  /** Error of the field (without `part`) or of a part: 'zipcode', '0.price'. */
  errorAt: (part?: string) => string | undefined
}
