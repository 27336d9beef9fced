import type { ReactNode } from 'react'

/** Props of the form for a new or an existing record. */
export interface EditorProps<Values> {
  title: ReactNode
  start: Values
  /** Values of the existing record when the form opened. Absent for a new record. */
  basis?: Values
  draft: string
  onClose: () => void
  /** @returns the confirmation text */
  onSave: (values: Values, basis: Record<string, unknown> | undefined) => Promise<string>
}
