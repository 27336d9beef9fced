import type { ReactNode } from 'react'

/** Form for a new or an existing record. */
export interface EditorProps<Values> {
  title: ReactNode
  start: Values
  /** Values of the existing record that the form started from. */
  basis?: Values
  draft: string
  onClose: () => void
  /** @returns the confirmation text */
  onSave: (values: Values, basis: Record<string, unknown> | undefined) => Promise<string>
}
