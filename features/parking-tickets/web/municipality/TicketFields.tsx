import { useLingui } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import { LocationField } from '../../../../web/places/LocationField.tsx'
import { DateField } from '../../../../web/ui/Choice.tsx'
import type { Bound, FieldBinding } from '../../../../web/ui/form.ts'
import { EmailField, TextArea, TextField } from '../../../../web/ui/TextField.tsx'
import type { ticketDetails } from '../../contract.ts'
import { PlateFields } from '../PlateFields.tsx'

type Values = z.input<typeof ticketDetails>

interface TicketFieldsProps {
  field: (name: Exclude<keyof Values, 'location'>) => FieldBinding
  location: Bound<Values['location']>
}

/** Fields of a ticket other than its number and violation. */
export function TicketFields({ field, location }: TicketFieldsProps) {
  const { t } = useLingui()
  return (
    <>
      <PlateFields field={field} />
      <TextField
        label={t`Vehicle`}
        optional
        hint={t`Color and make, for example: Blue Honda Civic`}
        autoComplete="off"
        {...field('vehicle')}
      />
      <div className="grid grid-cols-2 gap-4">
        <DateField label={t`Day`} {...field('issuedDate')} />
        <TextField label={t`Time`} type="time" {...field('issuedTime')} />
      </div>
      <LocationField label={t`Location`} optional {...location} />
      <TextField label={t`Officer`} optional autoComplete="off" {...field('officer')} />
      <TextArea label={t`Notes`} optional hint={t`For staff only`} rows={3} {...field('notes')} />
      <EmailField
        label={t`Driver’s email`}
        optional
        hint={t`If known. Late notices go to this email.`}
        autoComplete="off"
        {...field('email')}
      />
    </>
  )
}
