import { Trans, useLingui } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import { noLocation } from '../../../../shared/places.ts'
import { formatCents } from '../../../../shared/money.ts'
import { page } from '../../../../web/page.ts'
import { call } from '../../../../web/call.ts'
import { setQuery } from '../../../../web/go.ts'
import { useResponse } from '../../../../web/query.ts'
import { currentSession } from '../../../../web/session.ts'
import { Checkbox, Select } from '../../../../web/ui/Choice.tsx'
import { FormSlideOut } from '../../../../web/ui/FormSlideOut.tsx'
import { forgetDraft, useZodForm } from '../../../../web/ui/form.ts'
import { PrintedCodeField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { enterTicket, newTicketForm } from '../../contract.ts'
import { violations } from '../../list.ts'
import { reloadTickets } from './fresh.ts'
import { TicketFields } from './TicketFields.tsx'

/** Form to issue a ticket. Staff add photos after they save the ticket. */
export function EnterTicket({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const { data } = useResponse(violations.call, { pageSize: 500, filters: { active: 1 }, totals: false })
  const form = useZodForm(newTicketForm, {
    defaultValues: {
      citation: '',
      violation: '',
      warning: false,
      plate: '',
      plateState: page().company?.state ?? '',
      vehicle: '',
      officer: currentSession()?.profileName ?? '',
      location: noLocation,
      issuedDate: page().today,
      issuedTime: '',
      notes: '',
      email: '',
    },
    draft: { name: 'parking-ticket:new' },
  })
  const save = async (values: z.output<typeof newTicketForm>) => {
    const { message, ticketId } = await call(enterTicket, values)
    forgetDraft(form)
    toast(message)
    await reloadTickets()
    setQuery({ panel: null, ticket: String(ticketId) })
  }
  return (
    <FormSlideOut
      title={<Trans>Enter ticket</Trans>}
      form={form}
      save={<Trans>Enter ticket</Trans>}
      onSubmit={save}
      onClose={onClose}
    >
      <PrintedCodeField label={t`Citation number`} hint={t`Printed on the ticket`} {...form.field('citation')} />
      <Select
        label={t`Violation`}
        placeholder={t`Choose a violation`}
        options={(data?.rows ?? []).map(({ code, description, amount }) => ({
          value: code,
          label: `${code} ${description}, ${formatCents(amount)}`,
        }))}
        {...form.field('violation')}
      />
      <Checkbox
        label={t`Warning`}
        hint={t`A warning costs nothing and is closed immediately.`}
        {...form.field('warning')}
      />
      <TicketFields field={form.field} location={form.choice('location')} />
    </FormSlideOut>
  )
}
