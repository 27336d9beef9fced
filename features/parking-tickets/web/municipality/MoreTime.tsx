import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { page } from '../../../../web/page.ts'
import { call } from '../../../../web/call.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { DateField } from '../../../../web/ui/Choice.tsx'
import { forgetDraft, useZodForm } from '../../../../web/ui/form.ts'
import { FormDialog } from '../../../../web/ui/FormDialog.tsx'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { extendContest, moreTimeForm } from '../../contract.ts'
import type { TicketDetails } from './details.ts'
import { reloadTickets } from './fresh.ts'

/** Form to extend the time to contest a ticket, even after the last day. */
export function MoreTime({ ticket }: { ticket: TicketDetails }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        <Trans>Extend contest deadline</Trans>
      </Button>
      {open && <MoreTimeDialog ticket={ticket} onClose={() => setOpen(false)} />}
    </>
  )
}

function MoreTimeDialog({ ticket: { id }, onClose }: { ticket: TicketDetails; onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(moreTimeForm, {
    defaultValues: { until: '', reason: '' },
    draft: { name: `parking-more-time:${id}` },
  })
  return (
    <FormDialog
      title={t`Extend contest deadline`}
      form={form}
      submit={<Trans>Extend deadline</Trans>}
      busyLabel={<Trans>Saving...</Trans>}
      onSubmit={async (values) => {
        toast((await call(extendContest, { ...values, ticketId: id })).message)
        forgetDraft(form)
        await reloadTickets()
      }}
      onClose={onClose}
    >
      <DateField label={t`New deadline`} min={page().today} className="max-w-60" {...form.field('until')} />
      <TextField
        label={t`Reason`}
        hint={t`The reason will be recorded in the audit log.`}
        maxLength={200}
        autoComplete="off"
        {...form.field('reason')}
      />
    </FormDialog>
  )
}
