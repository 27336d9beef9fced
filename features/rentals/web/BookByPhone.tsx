import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { useAnswer } from '../../../web/query.ts'
import { AnsweredSlideOut } from '../../../web/ui/Answered.tsx'
import { Checkbox, DateField, Select } from '../../../web/ui/Choice.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormActions } from '../../../web/ui/FormButtons.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { PhoneField } from '../../../web/ui/PhoneField.tsx'
import { EmailField, TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { bookByPhone, phoneForm, rentalChoices, staffRentalDays } from '../contract.ts'
import { isFree } from '../rules.ts'
import { reloadRentals } from './fresh.ts'
import { clockWords } from './words.ts'

type Choices = AnswerOf<typeof rentalChoices>
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

const whole = z.string().check(z.trim(), z.regex(/^\d{1,5}$/, 'Enter a whole number.'))
const typed = z.extend(phoneForm, { resourceId: z.string(), spaceId: z.string(), pieces: whole, guests: whole })

function Fields({ choices, onClose, onBooked }: BookProps & { choices: Choices }) {
  const { t } = useLingui()
  const [first] = choices.resources
  const form = useZodForm(typed, {
    defaultValues: {
      ...{ resourceId: String(first?.id ?? ''), spaceId: String(first?.spaces[0]?.id ?? ''), pieces: '1' },
      ...{ day: choices.today, from: '', until: '', name: '', email: '', phone: '', purpose: '', guests: '0' },
      isResident: true,
    },
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
      <Select
        label={t`What`}
        options={choices.resources.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.field('resourceId')}
      />
      {chosen.spaces.length > 1 && (
        <Select
          label={t`What of it`}
          options={chosen.spaces.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.field('spaceId')}
        />
      )}
      {chosen.pieces > 1 && <TextField label={t`How many`} inputMode="numeric" {...form.field('pieces')} />}
      <DateField label={t`Day`} {...form.field('day')} />
      {data?.days[0]?.closedFor && (
        <p className="text-danger">
          <Trans>Closed: {data.days[0].closedFor}</Trans>
        </p>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
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
      <TextField label={t`Name`} autoComplete="off" {...form.field('name')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <EmailField optional autoComplete="off" {...form.field('email')} />
        <PhoneField optional autoComplete="off" {...form.field('phone')} />
      </div>
      <TextField label={t`What is it for?`} autoComplete="off" {...form.field('purpose')} />
      <TextField
        label={t`How many people come?`}
        {...(chosen.capacity > 0 && { hint: t`Room for ${chosen.capacity} people` })}
        inputMode="numeric"
        {...form.field('guests')}
      />
      <Checkbox label={t`Lives or works in the municipality`} {...form.field('isResident')} />
      <FormActions
        form={form}
        submit={<Trans>Book it</Trans>}
        busyLabel={<Trans>Booking...</Trans>}
        onCancel={onClose}
      />
    </Form>
  )
}
