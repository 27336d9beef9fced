import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { call } from '../../../../web/call.ts'
import { useResponse } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { DateField } from '../../../../web/ui/Choice.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { FormActions } from '../../../../web/ui/FormButtons.tsx'
import { forgetDraft, useZodForm } from '../../../../web/ui/form.ts'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { hearingForm, returnSettings, setHearing } from '../../contract.ts'
import { reloadTickets } from './fresh.ts'
import type { TicketDetails } from './details.ts'

/** Hearing of a contest, with the form to schedule it. */
export function Hearing({ ticket }: { ticket: TicketDetails }) {
  const [open, setOpen] = useState(false)
  const { data } = useResponse(returnSettings, {})
  if (!open)
    return (
      <Button size="small" className="mt-2" disabled={!data} onClick={() => setOpen(true)}>
        {ticket.contest?.hearingAt ? <Trans>Reschedule hearing</Trans> : <Trans>Schedule hearing</Trans>}
      </Button>
    )
  return (
    <HearingForm
      ticket={ticket}
      defaultLocation={data?.settings.hearingLocation ?? ''}
      onClose={() => setOpen(false)}
    />
  )
}

interface HearingFormProps {
  ticket: TicketDetails
  defaultLocation: string
  onClose: () => void
}

function HearingForm({ ticket: { id, contest }, defaultLocation, onClose }: HearingFormProps) {
  const { t } = useLingui()
  const basis = {
    hearingDate: contest?.hearingDate ?? '',
    hearingTime: contest?.hearingTime ?? '',
    hearingLocation: contest?.hearingLocation ?? '',
  }
  const form = useZodForm(hearingForm, {
    defaultValues: { ...basis, hearingLocation: basis.hearingLocation || defaultLocation },
    basis,
    draft: { name: `parking-hearing:${id}` },
  })
  const save = async (values: z.output<typeof hearingForm>) => {
    toast((await call(setHearing, { ...values, ticketId: id, basis: form.basis })).message)
    forgetDraft(form)
    await reloadTickets()
    onClose()
  }
  return (
    <section aria-labelledby="hearing" className="mt-5 border-line border-t pt-4">
      <h3 id="hearing" className="mb-2 text-lg">
        <Trans>Hearing</Trans>
      </h3>
      <Form form={form} onSubmit={save}>
        <div className="grid grid-cols-2 gap-4">
          <DateField label={t`Day`} {...form.field('hearingDate')} />
          <TextField label={t`Time`} type="time" {...form.field('hearingTime')} />
        </div>
        <TextField label={t`Location`} autoComplete="off" {...form.field('hearingLocation')} />
        <p className="text-muted text-sm">
          <Trans>The hearing will appear on the calendar. If the person provided an email, we will notify them.</Trans>
        </p>
        <FormActions
          form={form}
          submit={contest?.hearingAt ? <Trans>Reschedule hearing</Trans> : <Trans>Schedule hearing</Trans>}
          busyLabel={<Trans>Saving...</Trans>}
          onCancel={onClose}
        />
      </Form>
    </section>
  )
}
