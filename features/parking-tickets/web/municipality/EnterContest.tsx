import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { page } from '../../../../web/page.ts'
import { call } from '../../../../web/call.ts'
import { AttachFiles, idsOf } from '../../../../web/cases/AttachFiles.tsx'
import { DateField } from '../../../../web/ui/Choice.tsx'
import { SlideOut } from '../../../../web/ui/Dialog.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { FormButtons } from '../../../../web/ui/FormButtons.tsx'
import { forgetDraft, useZodForm } from '../../../../web/ui/form.ts'
import { PhoneField } from '../../../../web/ui/PhoneField.tsx'
import { EmailField, TextArea, TextField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { contestCase, enterContest, enterContestForm } from '../../contract.ts'
import type { TicketDetails } from './details.ts'
import { reloadTickets } from './fresh.ts'

/** Form to enter a contest received outside the portal: its text, its files, and a contact for the decision. */
export function EnterContest({ ticket, onClose }: { ticket: TicketDetails; onClose: () => void }) {
  const { t } = useLingui()
  const [uploading, setUploading] = useState(false)
  const form = useZodForm(enterContestForm, {
    defaultValues: { receivedOn: page().today, name: '', address: '', phone: '', email: '', grounds: '', files: [] },
    draft: { name: `parking-paper-contest:${ticket.id}` },
  })
  const save = async ({ files, ...values }: z.output<typeof enterContestForm>) => {
    toast((await call(enterContest, { ...values, ticketId: ticket.id, files: idsOf(files) })).message)
    forgetDraft(form)
    await reloadTickets()
    onClose()
  }
  return (
    <SlideOut
      title={<Trans>Enter contest request for ticket {ticket.citation}</Trans>}
      onClose={onClose}
      locked={form.formState.isSubmitting || uploading}
      actions={
        <FormButtons form={form} id="paper-contest" save={<Trans>Enter contest request</Trans>} onClose={onClose} />
      }
    >
      <Form id="paper-contest" form={form} onSubmit={save}>
        <DateField
          label={t`Received on`}
          hint={t`The contest deadline is checked against this date.`}
          max={page().today}
          className="max-w-60"
          {...form.field('receivedOn')}
        />
        <TextArea
          label={t`Why is the ticket wrong?`}
          hint={t`Use the person’s own words. Attach the letter and any evidence below.`}
          rows={5}
          maxLength={4000}
          {...form.field('grounds')}
        />
        <AttachFiles of={contestCase} field={form.choice('files')} onBusy={setUploading} />
        <TextField label={t`Name`} autoComplete="off" {...form.field('name')} />
        <TextField
          label={t`Address`}
          optional
          hint={t`Mailing address for the decision.`}
          autoComplete="off"
          {...form.field('address')}
        />
        <PhoneField label={t`Phone`} optional shape="profile" {...form.field('phone')} />
        <EmailField optional autoComplete="off" {...form.field('email')} />
      </Form>
    </SlideOut>
  )
}
