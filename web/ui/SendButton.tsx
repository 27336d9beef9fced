import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { Button } from './Button.tsx'

interface Props<Values extends FieldValues> {
  form: Pick<UseFormReturn<Values>, 'formState'>
  /** True while files upload. Until the uploads end, the form cannot be sent. */
  waits: boolean
  children: ReactNode
}

/** Submit button of a form with files. */
export const SendButton = <Values extends FieldValues>({ form, waits, children }: Props<Values>) => (
  <div>
    <Button
      type="submit"
      variant="primary"
      busy={form.formState.isSubmitting}
      busyLabel={<Trans>Sending...</Trans>}
      disabled={waits}
    >
      {children}
    </Button>
  </div>
)
