import { useLingui } from '@lingui/react/macro'
import { createContext, type ReactNode, useContext } from 'react'
import type { FileAnswer } from '../../shared/fields/answer.ts'
import type { Field, FieldOf } from '../../shared/fields/definition.ts'
import { type Option, Select } from '../ui/Choice.tsx'
import type { FieldProps } from '../ui/Field.tsx'

/** What the inputs of fields need from the form around them. */

/** Sends a file as soon as it is chosen; answers under which name it is kept. */
export type Upload = (field: FieldOf<'file'>, file: File) => Promise<FileAnswer>

/** Nothing is sent from a preview. */
export const uploadNothing: Upload = async (_field, { name }) => ({ owner: 'preview', id: crypto.randomUUID(), name })

export interface FieldsContextValue {
  today: string
  upload: Upload
  /** How one chooses among many: the browser's own list, or for staff one that narrows while they type. */
  LongChoice: (props: LongChoiceProps) => ReactNode
  /** What the form can cost, in words. Shown until the answers decide. */
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
  /** The sentence for the field (no part), or for a part of it: 'zipcode', '0.price'. */
  errorAt: (part?: string) => string | undefined
}
