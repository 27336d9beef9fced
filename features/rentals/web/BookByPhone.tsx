import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { formatCents } from '../../../shared/money.ts'
import { call } from '../../../web/call.ts'
import { useResponse } from '../../../web/query.ts'
import { DateField } from '../../../web/ui/Choice.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { toast } from '../../../web/ui/Toasts.tsx'
import { bookByPhone, phoneForm, previewSeries, type SeriesDates, staffRentalDays } from '../contract.ts'
import { isFree } from '../rules.ts'
import {
  Booker,
  bookerShape,
  noBooker,
  NothingToBook,
  OnceChoices,
  type ResourceChoices,
  SignatureChoice,
  WhatOfIt,
} from './Booker.tsx'
import { FreeTimeFields } from './FreeTimeFields.tsx'
import { reloadRentals } from './parts/fresh.ts'

interface BookProps {
  onClose: () => void
  onBooked: (id: number) => void
}

/** Slide-out for staff to make a reservation for a caller on the phone. */
export const BookByPhone = (props: BookProps) => (
  <OnceChoices title={<Trans>Book by phone</Trans>} onClose={props.onClose}>
    {(choices) => <Fields choices={choices} {...props} />}
  </OnceChoices>
)

const typed = z.extend(phoneForm, bookerShape)

function Fields({ choices, onClose, onBooked }: BookProps & { choices: ResourceChoices }) {
  const { t } = useLingui()
  const [first] = choices.resources
  const form = useZodForm(typed, {
    defaultValues: { ...noBooker(first), day: choices.today, from: '', until: '' },
    draft: { name: 'book-by-phone' },
  })
  const values = form.watch()
  const { resourceId, spaceId, day, from, until } = values
  const chosen = choices.resources.find(({ id }) => String(id) === resourceId)
  // If the user chose a space of a different resource before, ignores that space.
  const space = chosen?.spaces.find(({ id }) => String(id) === spaceId) ?? chosen?.spaces[0]
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day)
  const what = { resourceId: Number(resourceId), spaceId: space?.id ?? 0, pieces: Number(values.pieces) || 1 }
  const { data } = useResponse(
    staffRentalDays,
    { ...what, from: isDay ? day : choices.today, days: 1 },
    { enabled: chosen !== undefined },
  )
  const { data: priced } = useResponse(
    previewSeries,
    {
      ...{ ...what, from, until, guests: Number(values.guests) || 0, isResident: values.isResident },
      ...{ repeats: { unit: 'day', every: 1, weekdays: [], by: 'day', until: day }, startsOn: day, choices: [] },
    },
    { enabled: chosen !== undefined && isDay && from !== '' && until !== '', keepPrevious: true },
  )
  const steps = data?.days[0]?.steps ?? []
  const save = async (filled: z.output<typeof typed>) => {
    const { message, reservationId } = await call(bookByPhone, { ...filled, ...what, guests: Number(filled.guests) })
    toast(message)
    await reloadRentals()
    onBooked(reservationId)
  }
  if (!chosen) return <NothingToBook title={<Trans>Book by phone</Trans>} onClose={onClose} />
  return (
    <FormSlideOut
      title={<Trans>Book by phone</Trans>}
      save={<Trans>Book reservation</Trans>}
      {...{ form, onClose }}
      onSubmit={save}
    >
      <WhatOfIt form={form} choices={choices} chosen={chosen} />
      <DateField label={t`Day`} {...form.field('day')} />
      {data?.days[0]?.closedFor && (
        <p className="text-danger">
          <Trans>Closed: {data.days[0].closedFor}</Trans>
        </p>
      )}
      {data && !data.days[0]?.closedFor && !steps.some(isFree) && (
        <p className="text-danger">
          {day < choices.today ? (
            <Trans>This day is in the past. Choose a later day.</Trans>
          ) : (
            <Trans>No times are available on this day. Choose another day.</Trans>
          )}
        </p>
      )}
      <FreeTimeFields form={form} steps={steps} className="grid gap-4 md:grid-cols-2" />
      <Booker form={form} capacity={chosen.capacity} />
      {chosen.hasQuestions && <SignatureChoice form={form} />}
      <p role="status">{from !== '' && until !== '' && priced && <PriceOf of={priced} />}</p>
    </FormSlideOut>
  )
}

/** Price that staff quote to the caller before they make the reservation. */
function PriceOf({ of: { dates, totalCents, hasDeposit } }: { of: SeriesDates }) {
  const mistake = dates[0]?.mistake
  if (mistake) return mistake
  const total = formatCents(totalCents)
  return hasDeposit ? <Trans>Total: {total}, including the security deposit.</Trans> : <Trans>Total: {total}.</Trans>
}
