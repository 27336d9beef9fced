import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { call } from '../../../web/call.ts'
import { useAnswer } from '../../../web/query.ts'
import { AnsweredSlideOut } from '../../../web/ui/Answered.tsx'
import { DateField, Select } from '../../../web/ui/Choice.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormActions } from '../../../web/ui/FormButtons.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { toast } from '../../../web/ui/Toasts.tsx'
import { bookByPhone, phoneForm, rentalChoices, staffRentalDays } from '../contract.ts'
import { isFree } from '../rules.ts'
import { Booker, bookerShape, noBooker, type ResourceChoices, SignatureChoice, WhatOfIt } from './Booker.tsx'
import { reloadRentals } from './fresh.ts'
import { clockWords } from './words.ts'

interface BookProps {
  onClose: () => void
  onBooked: (id: number) => void
}

/** Books a time for somebody on the phone. */
export function BookByPhone(props: BookProps) {
  const answer = useAnswer(rentalChoices, {})
  return (
    <AnsweredSlideOut
      title={<Trans>Book by phone</Trans>}
      loading={<Trans>Loading what can be booked</Trans>}
      failed={<Trans>This could not be loaded</Trans>}
      answer={answer}
      onClose={props.onClose}
    >
      {(choices) => <Fields choices={choices} {...props} />}
    </AnsweredSlideOut>
  )
}

const typed = z.extend(phoneForm, bookerShape)

function Fields({ choices, onClose, onBooked }: BookProps & { choices: ResourceChoices }) {
  const { t } = useLingui()
  const [first] = choices.resources
  const form = useZodForm(typed, {
    defaultValues: { ...noBooker(first), day: choices.today, from: '', until: '' },
  })
  const [resourceId, spaceId, day, pieces, from] = form.watch(['resourceId', 'spaceId', 'day', 'pieces', 'from'])
  const chosen = choices.resources.find(({ id }) => String(id) === resourceId)
  // Of the resource that was chosen before nothing is left over.
  const space = chosen?.spaces.find(({ id }) => String(id) === spaceId) ?? chosen?.spaces[0]
  const { data } = useAnswer(
    staffRentalDays,
    {
      ...{
        resourceId: Number(resourceId),
        spaceId: space?.id ?? 0,
        from: /^\d{4}-\d\d-\d\d$/.test(day) ? day : choices.today,
      },
      ...{ pieces: Number(pieces) || 1, days: 1 },
    },
    { enabled: chosen !== undefined },
  )
  const steps = data?.days[0]?.steps ?? []
  const begin = steps.findIndex(({ time }) => time === from)
  const ends = begin < 0 ? [] : steps.slice(begin)
  const taken = ends.findIndex((step) => !isFree(step))
  const save = async (values: z.output<typeof typed>) => {
    const { message, reservationId } = await call(bookByPhone, {
      ...values,
      ...{ resourceId: Number(values.resourceId), spaceId: space?.id ?? 0 },
      ...{ pieces: Number(values.pieces), guests: Number(values.guests) },
    })
    toast(message)
    await reloadRentals()
    onBooked(reservationId)
  }
  if (!chosen)
    return (
      <p>
        <Trans>Nothing can be reserved at present. Add a resource and open it first.</Trans>
      </p>
    )
  const times = (of: readonly string[]) => of.map((value) => ({ value, label: clockWords(value) }))
  return (
    <Form form={form} onSubmit={save}>
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
            <Trans>This day is over. Choose a later one.</Trans>
          ) : (
            <Trans>Nothing is free on this day. Choose another one.</Trans>
          )}
        </p>
      )}
      <div className="grid gap-4 md:grid-cols-2">
        <Select
          label={t`From`}
          placeholder={t`Choose a time`}
          options={times(steps.filter(isFree).map(({ time }) => time))}
          {...form.field('from')}
        />
        <Select
          label={t`Until`}
          placeholder={t`Choose a time`}
          options={times((taken < 0 ? ends : ends.slice(0, taken)).map(({ until }) => until))}
          {...form.field('until')}
        />
      </div>
      <Booker form={form} capacity={chosen.capacity} />
      {chosen.asks && <SignatureChoice form={form} />}
      <FormActions
        form={form}
        submit={<Trans>Book it</Trans>}
        busyLabel={<Trans>Booking...</Trans>}
        onCancel={onClose}
      />
    </Form>
  )
}
