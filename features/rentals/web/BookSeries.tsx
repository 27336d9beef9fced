import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import * as z from 'zod/mini'
import { addDays } from '../../../shared/dates.ts'
import { call } from '../../../web/call.ts'
import { useResponse } from '../../../web/query.ts'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { FormRefused, useZodForm } from '../../../web/ui/form.ts'
import { RepeatFields } from '../../../web/ui/RepeatFields.tsx'
import { TimeRangeFields } from '../../../web/ui/TimeRangeFields.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { bookSeries, previewSeries, seriesForm, staffRentalDays } from '../contract.ts'
import { MAX_DATES } from '../rules.ts'
import {
  Booker,
  bookerShape,
  noBooker,
  NothingToBook,
  OnceChoices,
  type ResourceChoices,
  SignatureChoice,
  WhatOfIt,
} from './parts/Booker.tsx'
import { reloadRentals } from './parts/fresh.ts'
import { type Choices, choicesOf, countOf, type OneDate, OtherTime, SeriesDates, FinishFirst } from './SeriesDates.tsx'

interface BookProps {
  onClose: () => void
  onBooked: (seriesId: number) => void
}

/**
 * Slide-out for staff to reserve recurring dates for a resident. Shows each date with its conflict, price and
 * alternative.
 */
export const BookSeries = (props: BookProps) => (
  <OnceChoices title={<Trans>Book multiple dates</Trans>} onClose={props.onClose}>
    {(choices) => <Fields choices={choices} {...props} />}
  </OnceChoices>
)

const typed = z.extend(seriesForm, bookerShape)

function Fields({ choices, onClose, onBooked }: BookProps & { choices: ResourceChoices }) {
  const { t } = useLingui()
  const [first] = choices.resources
  const [instead, setInstead] = useState<Choices>({})
  const [other, setOther] = useState<OneDate | null>(null)
  const form = useZodForm(typed, {
    defaultValues: {
      ...noBooker(first),
      ...{ from: '18:00', until: '20:00', startsOn: choices.today },
      repeats: { unit: 'week', every: 1, weekdays: [], by: 'day', until: addDays(choices.today, 28) },
    },
    draft: { name: 'book-series' },
  })
  const values = form.watch()
  const chosen = choices.resources.find(({ id }) => String(id) === values.resourceId)
  const space = chosen?.spaces.find(({ id }) => String(id) === values.spaceId) ?? chosen?.spaces[0]
  const query = {
    ...{ resourceId: chosen?.id ?? 0, spaceId: space?.id ?? 0, pieces: Number(values.pieces) || 1 },
    ...{ from: values.from, until: values.until, guests: Number(values.guests) || 0, isResident: values.isResident },
    ...{ repeats: values.repeats, startsOn: values.startsOn },
    choices: choicesOf(instead),
  }
  const isWhole =
    seriesForm.shape.repeats.safeParse(values.repeats).success &&
    seriesForm.shape.startsOn.safeParse(values.startsOn).success
  const { data } = useResponse(previewSeries, query, { enabled: isWhole && chosen !== undefined, keepPrevious: true })
  const { count, invalidCount } = countOf(data)
  if (!chosen) return <NothingToBook title={<Trans>Book multiple dates</Trans>} onClose={onClose} />
  const save = async (filled: z.output<typeof typed>) => {
    if (!data || count === 0) throw new FormRefused(t`Choose at least one date.`)
    if (invalidCount > 0) throw new FormRefused(t`Choose another time for each marked date, or skip the date.`)
    const { message, seriesId } = await call(bookSeries, { ...filled, ...query, quotedCents: data.totalCents })
    toast(message)
    await reloadRentals()
    onBooked(seriesId)
  }
  return (
    <>
      <FormSlideOut
        title={<Trans>Book multiple dates</Trans>}
        save={
          invalidCount > 0 ? (
            <FinishFirst count={invalidCount} />
          ) : (
            <Plural value={count} one="Book # date" other="Book # dates" />
          )
        }
        {...{ form, onClose }}
        onSubmit={save}
      >
        <WhatOfIt form={form} choices={choices} chosen={chosen} />
        <TimeRangeFields form={form} />
        <RepeatFields form={form} />
        <Booker form={form} capacity={chosen.capacity} />
        {chosen.hasQuestions && <SignatureChoice form={form} />}
        <SeriesDates {...{ data, isWhole, instead }} max={MAX_DATES} onChange={setInstead} onOther={setOther} />
      </FormSlideOut>
      {other && (
        <OtherTime
          {...{ of: other, selection: query }}
          days={staffRentalDays}
          onClose={() => setOther(null)}
          onChoose={(to) => setInstead({ ...instead, [other.of]: to })}
        />
      )}
    </>
  )
}
