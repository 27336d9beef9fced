import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { toast } from '../../../web/ui/Toasts.tsx'
import { whenForm } from '../contract.ts'
import { type InspectionDetails, reloadInspections } from './fresh.ts'
import { WhenFields } from './WhenFields.tsx'

type ScheduleForm = z.output<typeof whenForm>

interface WhenDialogProps {
  title: ReactNode
  start: InspectionDetails['when']
  /** Values of the existing inspection when the dialog opened. */
  basis?: InspectionDetails['when']
  /** @returns the confirmation text */
  onSave: (when: ScheduleForm, basis: Record<string, unknown> | undefined) => Promise<string>
  onClose: () => void
}

/** Dialog for the new date of an inspection, or for the date of a re-inspection. */
export function WhenDialog({ title, start, basis, onSave, onClose }: WhenDialogProps) {
  const form = useZodForm(whenForm, { defaultValues: start, ...(basis && { basis: { ...basis } }) })
  return (
    <FormDialog
      title={title}
      form={form}
      onClose={onClose}
      onSubmit={async (values) => {
        toast(await onSave(values, form.basis))
        await reloadInspections()
      }}
    >
      <WhenFields field={form.field} assigned={form.choice('assignedTo')} />
    </FormDialog>
  )
}
