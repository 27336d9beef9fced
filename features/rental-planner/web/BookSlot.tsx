import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { clockText } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { typePhone } from '../../../shared/phone.ts'
import { call, CallError } from '../../../web/call.ts'
import { useResponse } from '../../../web/query.ts'
import { may } from '../../../web/session.ts'
import { dayText } from '../../../web/time-text.ts'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { forgetDraft, useZodForm } from '../../../web/ui/form.ts'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { bookByPhone, phoneForm, previewSeries, type SeriesDates, staffRentalDays } from '../../rentals/contract.ts'
import {
  Booker,
  bookerShape,
  noBooker,
  NothingToBook,
  OnceChoices,
  type ResourceChoices,
  SignatureChoice,
} from '../../rentals/web/parts/Booker.tsx'
import type { SlotStep } from '../../rentals/rules.ts'
import { FreeTimeFields } from '../../rentals/web/parts/FreeTimeFields.tsx'
import { reloadRentals } from '../../rentals/web/parts/fresh.ts'
import type { Caller } from '../../utility-accounts/contract-callers.ts'
import { CallerField } from '../../utility-accounts/web/parts/CallerField.tsx'

/** Draft with the data of the caller. It survives until staff book or discard. */
export const CALLER_DRAFT = 'book-by-phone'

/** Time that staff chose in the planner. */
export interface Slot {
  resourceId: number
  spaceId: number
  title: string
  day: string
  from: string
  until: string
}

interface BookProps {
  slot: Slot
  onClose: () => void
  onBooked: (id: number) => void
}

/** Panel in which staff book a chosen time for a caller. */
export const BookSlot = (props: BookProps) => (
  <OnceChoices title={<Trans>Book {props.slot.title}</Trans>} onClose={props.onClose}>
    {(choices) => <Fields choices={choices} {...props} />}
  </OnceChoices>
)

const typed = z.extend(phoneForm, { ...bookerShape, search: z.string() })

function Fields({ choices, slot, onClose, onBooked }: BookProps & { choices: ResourceChoices }) {
  const { resourceId, spaceId, day } = slot
  const chosen = choices.resources.find(({ id }) => id === resourceId)
  const form = useZodForm(typed, {
    defaultValues: {
      ...noBooker(chosen),
      ...{ spaceId: String(spaceId), day, from: slot.from, until: slot.until, search: '' },
    },
    draft: { name: CALLER_DRAFT, leaveOut: ['resourceId', 'spaceId', 'pieces', 'day', 'from', 'until'] },
  })
  const values = form.watch()
  const { from, until } = values
  const what = { resourceId, spaceId, pieces: Number(values.pieces) || 1 }
  const guests = Number(values.guests) || 0
  const { data } = useResponse(staffRentalDays, { ...what, from: day, days: 1 })
  const { data: priced } = useResponse(
    previewSeries,
    {
      ...{ ...what, from, until, guests, isResident: values.isResident },
      ...{ repeats: { unit: 'day', every: 1, weekdays: [], by: 'day', until: day }, startsOn: day, choices: [] },
    },
    { enabled: from !== '' && until !== '', keepPrevious: true },
  )
  const save = async ({ search: _search, ...filled }: z.output<typeof typed>) => {
    try {
      const { message, reservationId } = await call(bookByPhone, { ...filled, ...what, day, guests })
      toast(message)
      await reloadRentals()
      forgetDraft(form)
      onBooked(reservationId)
    } catch (error) {
      // Another person took the time. The planner and the times of this panel then show it.
      if (error instanceof CallError && error.status === 409) await reloadRentals()
      throw error
    }
  }
  if (!chosen) return <NothingToBook title={<Trans>Book {slot.title}</Trans>} onClose={onClose} />
  return (
    <FormSlideOut
      title={<Trans>Book {slot.title}</Trans>}
      save={<Trans>Book reservation</Trans>}
      {...{ form, onClose }}
      onSubmit={save}
    >
      <Summary {...{ day, from, until }} priced={priced} />
      <CallerSearch form={form} />
      <Booker form={form} capacity={chosen.capacity} />
      {chosen.hasQuestions && <SignatureChoice form={form} />}
      <TimeFields form={form} steps={data?.days[0]?.steps} pieces={chosen.pieces} />
    </FormSlideOut>
  )
}

type BookForm = ReturnType<typeof useZodForm<z.input<typeof typed>, z.output<typeof typed>>>

/** Finds the caller among residents and customers, and fills in the contact details. */
function CallerSearch({ form }: { form: BookForm }) {
  const set = (name: 'search' | 'name' | 'email' | 'phone', value: string) =>
    form.setValue(name, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  const choose = ({ name, email, phone }: Caller) => {
    set('name', name)
    set('email', email)
    set('phone', typePhone(phone))
  }
  if (!may('customers', 'view')) return null
  return <CallerField value={form.watch('search')} onChange={(text) => set('search', text)} onChoose={choose} />
}

interface TimeProps {
  form: BookForm
  /** Undefined while the times load. */
  steps: readonly SlotStep[] | undefined
  pieces: number
}

/** The chosen time, which staff can still change on the same day. */
function TimeFields({ form, steps, pieces }: TimeProps) {
  const { t } = useLingui()
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-2 font-bold">
        <Trans>Change the time</Trans>
      </legend>
      {steps && <FreeTimeFields form={form} steps={steps} className="grid grid-cols-2 gap-4" />}
      {pieces > 1 && <TextField label={t`Quantity`} inputMode="numeric" {...form.field('pieces')} />}
    </fieldset>
  )
}

interface SummaryProps {
  day: string
  from: string
  until: string
  priced: SeriesDates | undefined
}

/** The chosen time with its price. */
function Summary({ day, from, until, priced }: SummaryProps) {
  const { t } = useLingui()
  const isChosen = from !== '' && until !== ''
  return (
    <div role="status" className="rounded-sm bg-tint p-4">
      <p className="font-bold">
        {isChosen ? t`${dayText(day)}, ${clockText(from)} to ${clockText(until)}` : t`Choose a time below.`}
      </p>
      {/* The line keeps its height while the price loads. */}
      <p className="min-h-7">{isChosen && priced && <PriceOf of={priced} />}</p>
    </div>
  )
}

/** Price that staff quote to the caller before they make the reservation, or the reason that the time is refused. */
function PriceOf({ of: { dates, totalCents, hasDeposit } }: { of: SeriesDates }) {
  const mistake = dates[0]?.mistake
  if (mistake) return <span className="text-danger">{mistake}</span>
  const total = formatCents(totalCents)
  return hasDeposit ? <Trans>Total: {total}, including the security deposit.</Trans> : <Trans>Total: {total}.</Trans>
}
