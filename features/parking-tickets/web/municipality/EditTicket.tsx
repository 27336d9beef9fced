import { Trans } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import { call } from '../../../../web/call.ts'
import { SlideOut } from '../../../../web/ui/Dialog.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { FormButtons } from '../../../../web/ui/FormButtons.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { saveTicket, ticketDetails } from '../../contract.ts'
import { reloadTickets } from './fresh.ts'
import { TicketFields } from './TicketFields.tsx'
import type { TicketDetails } from './details.ts'

/** Form to correct the details of a ticket. If the violation is wrong, staff void the ticket and issue a new one. */
export function EditTicket({ ticket, onClose }: { ticket: TicketDetails; onClose: () => void }) {
  const form = useZodForm(ticketDetails, {
    defaultValues: ticket.details,
    basis: ticket.details,
    draft: { name: `parking-ticket-facts:${ticket.id}` },
  })
  const save = async (values: z.output<typeof ticketDetails>) => {
    toast((await call(saveTicket, { ...values, ticketId: ticket.id, basis: form.basis })).message)
    await reloadTickets()
    onClose()
  }
  return (
    <SlideOut
      title={<Trans>Correct ticket {ticket.citation}</Trans>}
      onClose={onClose}
      locked={form.formState.isSubmitting}
      actions={<FormButtons form={form} id="ticket-facts" onClose={onClose} />}
    >
      <p className="mb-4 text-muted">
        <Trans>If the violation is wrong, void this ticket and issue a new one.</Trans>
      </p>
      <Form id="ticket-facts" form={form} onSubmit={save}>
        <TicketFields field={form.field} location={form.choice('location')} />
      </Form>
    </SlideOut>
  )
}
