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
  /** Of one that is there: what the form is made from. */
  basis?: InspectionDetails['when']
  /** @returns what is said of it */
  onSave: (when: ScheduleForm, basis: Record<string, unknown> | undefined) => Promise<string>
  onClose: () => void
}

/** Another day for an inspection, or the day of a re-inspection. */
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
