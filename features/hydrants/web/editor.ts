import type { ReactNode } from 'react'

/** A form for what is new and for what is there. */
export interface EditorProps<Values> {
  title: ReactNode
  start: Values
  /** Of what is there: what the form is made from. */
  basis?: Values
  draft: string
  onClose: () => void
  /** @returns what is said of it */
  onSave: (values: Values, basis: Record<string, unknown> | undefined) => Promise<string>
}
