import type { Field } from '../../../shared/fields/definition.ts'

export interface SettingsProps<F extends Field = Field> {
  field: F
  onChange: (field: Field) => void
  fields: readonly Field[]
  errorAt: (part: string) => string | undefined
}
