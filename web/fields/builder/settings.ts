import type { Field } from '../../../shared/fields/definition.ts'

/** What the settings of a field are drawn from. */
export interface SettingsProps<F extends Field = Field> {
  field: F
  onChange: (field: Field) => void
  /** The fields above. */
  fields: readonly Field[]
  errorAt: (part: string) => string | undefined
}
