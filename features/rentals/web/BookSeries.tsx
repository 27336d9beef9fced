import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { call } from '../../../web/call.ts'
import { useAnswer } from '../../../web/query.ts'
import { AnsweredSlideOut } from '../../../web/ui/Answered.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { BookkeeperTotal } from '../../../web/ui/Card.tsx'
import { DateField, Select } from '../../../web/ui/Choice.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormActions } from '../../../web/ui/FormButtons.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { RepeatFields } from '../../../web/ui/RepeatFields.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { bookSeries, previewSeries, rentalChoices, seriesForm, staffRentalDays } from '../contract.ts'
import { isFree, MOST_DATES } from '../rules.ts'
import { Booker, bookerShape, noBooker, type ResourceChoices, WhatOfIt } from './Booker.tsx'
import { reloadRentals } from './fresh.ts'
import { clockWords, dayWords } from './words.ts'

interface BookProps {
  onClose: () => void
  onBooked: (seriesId: number) => void
}

/** Books many dates at once: by a rule, each with what is in its way, what it costs, and what to do instead. */
export function BookSeries(props: BookProps) {
  const answer = useAnswer(rentalChoices, {})
  return (
    <AnsweredSlideOut
      title={<Trans>Book several dates</Trans>}
      loading={<Trans>Loading what can be booked</Trans>}
      failed={<Trans>This could not be loaded</Trans>}
      answer={answer}
      onClose={props.onClose}
    >
      {(choices) => <Fields choices={choices} {...props} />}
    </AnsweredSlideOut>
  )
}

type Dates = AnswerOf<typeof previewSeries>
type OneDate = Dates['dates'][number]
/** What was chosen instead of a date of the rule; null leaves it out. */
type Choices = Readonly<Record<string, Pick<OneDate, 'day' | 'from' | 'until'> | null>>

const typed = z.extend(seriesForm, bookerShape)

function Fields({ choices, onClose, onBooked }: BookProps & { choices: ResourceChoices }) {
  const { t } = useLingui()
  const [first] = choices.resources
  const [instead, setInstead] = useState<Choices>({})
  const [other, setOther] = useState<OneDate | null>(null)
  const choose = (of: string, to: Choices[string]) => setInstead({ ...instead, [of]: to })
  const form = useZodForm(typed, {
    defaultValues: {
      ...noBooker(first),
      ...{ from: '18:00', until: '20:00', startsOn: choices.today },
      repeats: { unit: 'week', every: 1, weekdays: [], by: 'day', until: '' },
    },
  })
  const values = form.watch()
  const chosen = choices.resources.find(({ id }) => String(id) === values.resourceId)
  const space = chosen?.spaces.find(({ id }) => String(id) === values.spaceId) ?? chosen?.spaces[0]
  const asked = {
    ...{ resourceId: chosen?.id ?? 0, spaceId: space?.id ?? 0, pieces: Number(values.pieces) || 1 },
    ...{ from: values.from, until: values.until, guests: Number(values.guests) || 0, isResident: values.isResident },
    ...{ repeats: values.repeats, startsOn: values.startsOn },
    choices: Object.entries(instead).map(([of, to]) => ({ of, instead: to })),
  }
  const isWhole =
    seriesForm.shape.repeats.safeParse(values.repeats).success &&
    seriesForm.shape.startsOn.safeParse(values.startsOn).success
  const { data } = useAnswer(previewSeries, asked, { enabled: isWhole && chosen !== undefined, keepPrevious: true })
  const count = data?.dates.filter(({ leftOut }) => !leftOut).length ?? 0
  const wrong = data?.dates.filter(({ mistake }) => mistake !== '').length ?? 0
  if (!chosen)
    return (
      <p>
        <Trans>Nothing can be reserved at present. Add a resource and open it first.</Trans>
      </p>
    )
  const save = async (filled: z.output<typeof typed>) => {
    if (!data || wrong > 0) return
    const { message, seriesId } = await call(bookSeries, { ...filled, ...asked, quotedCents: data.totalCents })
    toast(message)
    await reloadRentals()
    onBooked(seriesId)
  }
  return (
    <>
      <Form form={form} onSubmit={save}>
        <WhatOfIt form={form} choices={choices} chosen={chosen} />
        <div className="grid grid-cols-2 gap-4">
          <TextField label={t`From`} type="time" step={900} {...form.field('from')} />
          <TextField label={t`Until`} type="time" step={900} {...form.field('until')} />
        </div>
        <RepeatFields form={form} />
        <Booker form={form} capacity={chosen.capacity} />
        <section aria-labelledby="dates" aria-live="polite">
          <h3 id="dates" className="mb-2 text-lg">
            <Trans>The dates</Trans>
          </h3>
          {data?.hasMore && (
            <Notice className="mb-3">
              <Trans>These are the first {MOST_DATES} dates: one series has no more. Choose a last day.</Trans>
            </Notice>
          )}
          {wrong > 0 && (
            <Notice tone="warning" className="mb-3">
              <Trans>Not all dates can be had. Leave those out, or choose another time for them.</Trans>
            </Notice>
          )}
          <ol className="border-line border-t">
            {data?.dates.map((one) => (
              <DateRow
                key={one.of}
                of={one}
                isChanged={one.of in instead}
                onLeaveOut={() => choose(one.of, null)}
                onOther={() => setOther(one)}
                onUsual={() => setInstead(Object.fromEntries(Object.entries(instead).filter(([of]) => of !== one.of)))}
              />
            ))}
          </ol>
          {data && <BookkeeperTotal label={<Trans>{count} dates</Trans>} amount={formatCents(data.totalCents)} />}
          <p className="mt-2 text-muted text-sm">
            <Trans>One deposit stands for all dates and is paid with the first of them.</Trans>
          </p>
        </section>
        <FormActions
          form={form}
          submit={wrong > 0 ? <Trans>{wrong} dates have to be settled first</Trans> : <Trans>Book {count} dates</Trans>}
          busyLabel={<Trans>Booking...</Trans>}
          onCancel={onClose}
        />
      </Form>
      {other && (
        <OtherTime of={other} asked={asked} onClose={() => setOther(null)} onChoose={(to) => choose(other.of, to)} />
      )}
    </>
  )
}

interface DateRowProps {
  of: OneDate
  /** It is not as the rule has it. */
  isChanged: boolean
  onLeaveOut: () => void
  onOther: () => void
  onUsual: () => void
}

function DateRow({ of, isChanged, onLeaveOut, onOther, onUsual }: DateRowProps) {
  const { t } = useLingui()
  const label = dayWords(of.day)
  const named = (says: ReactNode, button: { onClick: () => void; label: string }) => (
    <Button size="small" look="quiet" aria-label={button.label} onClick={button.onClick}>
      {says}
    </Button>
  )
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-2 text-table">
      <div className="min-w-0 flex-1 basis-44">
        <p className={of.leftOut ? 'text-muted line-through' : 'font-bold'}>
          {label}, {clockWords(of.from)} – {clockWords(of.until)}
        </p>
        {of.leftOut ? (
          <p className="text-muted">
            <Trans>Left out</Trans>
          </p>
        ) : of.mistake ? (
          <p className="flex flex-wrap items-center gap-2">
            <StatusBadge kind="bad">
              <Trans>Not free</Trans>
            </StatusBadge>
            {of.mistake}
          </p>
        ) : (
          <p className="flex flex-wrap items-center gap-2">
            <StatusBadge kind="good">
              <Trans>Free</Trans>
            </StatusBadge>
            <span className="tabular-nums">{formatCents(of.totalCents)}</span>
          </p>
        )}
      </div>
      <div className="flex flex-wrap">
        {!of.leftOut && named(<Trans>Other time</Trans>, { onClick: onOther, label: t`Other time for ${label}` })}
        {isChanged
          ? named(<Trans>As the rule says</Trans>, { onClick: onUsual, label: t`Take ${label} as the rule says` })
          : named(<Trans>Leave out</Trans>, { onClick: onLeaveOut, label: t`Leave out ${label}` })}
      </div>
    </li>
  )
}

const otherForm = z.object({
  day: seriesForm.shape.startsOn,
  from: seriesForm.shape.from,
  until: seriesForm.shape.until,
})

interface OtherTimeProps {
  of: OneDate
  asked: { resourceId: number; spaceId: number; pieces: number }
  onClose: () => void
  onChoose: (instead: Choices[string]) => void
}

/** Another day or hour for one date, of what is free then. */
function OtherTime({ of, asked, onClose, onChoose }: OtherTimeProps) {
  const { t } = useLingui()
  const form = useZodForm(otherForm, { defaultValues: { day: of.day, from: of.from, until: of.until } })
  const [day, from] = form.watch(['day', 'from'])
  const { data } = useAnswer(
    staffRentalDays,
    { resourceId: asked.resourceId, spaceId: asked.spaceId, pieces: asked.pieces, from: day, days: 1 },
    { enabled: otherForm.shape.day.safeParse(day).success },
  )
  const steps = data?.days[0]?.steps ?? []
  const begin = steps.findIndex(({ time }) => time === from)
  const ends = begin < 0 ? [] : steps.slice(begin)
  const taken = ends.findIndex((step) => !isFree(step))
  const times = (some: readonly string[]) => some.map((value) => ({ value, label: clockWords(value) }))
  return (
    <FormDialog
      title={<Trans>Instead of {dayWords(of.of)}</Trans>}
      form={form}
      submit={<Trans>Take this time</Trans>}
      onClose={onClose}
      onSubmit={async (values) => onChoose(values)}
    >
      <DateField label={t`Day`} {...form.field('day')} />
      <div className="grid grid-cols-2 gap-4">
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
    </FormDialog>
  )
}
