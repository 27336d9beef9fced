import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { formatCents } from '../../../shared/money.ts'
import { useAnswer } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { BookkeeperTotal } from '../../../web/ui/Card.tsx'
import { DateField, Select } from '../../../web/ui/Choice.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { LoadingState } from '../../../web/ui/States.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { type rentalDays, type SeriesDates as Dates, seriesForm, type staffRentalDays } from '../contract.ts'
import { isFree } from '../rules.ts'
import { clockWords, dayWords } from './words.ts'
import { Text } from '../../../web/ui/Text.tsx'
import { Money } from '../../../web/ui/Money.tsx'

export type OneDate = Dates['dates'][number]
/** What was chosen instead of a date of the rule; null leaves it out. */
export type Choices = Readonly<Record<string, Pick<OneDate, 'day' | 'from' | 'until'> | null>>

/** The choices as the calls take them. */
export const choicesOf = (instead: Choices) => Object.entries(instead).map(([of, to]) => ({ of, instead: to }))
export const countOf = (data: Dates | undefined) => ({
  count: data?.dates.filter(({ leftOut }) => !leftOut).length ?? 0,
  wrong: data?.dates.filter(({ mistake }) => mistake !== '').length ?? 0,
})

interface SeriesDatesProps {
  /** Its heading, by what stands around it. */
  as?: 'h2' | 'h3'
  data: Dates | undefined
  /** From when, until when and how often is filled in, so that there are dates. */
  isWhole: boolean
  /** So many dates one series has at most. */
  most: number
  instead: Choices
  onChange: (instead: Choices) => void
  /** Somebody wants another time for a date, which `OtherTime` asks for, outside of the form. */
  onOther: (of: OneDate) => void
}

/** The dates of a series: each with what is in its way, what it costs, and what to do instead. */
export function SeriesDates({
  as: Heading = 'h3',
  isWhole,
  most,
  instead,
  onChange,
  onOther,
  ...of
}: SeriesDatesProps) {
  const data = isWhole ? of.data : undefined
  const choose = (of: string, to: Choices[string]) => onChange({ ...instead, [of]: to })
  const { count, wrong } = countOf(data)
  return (
    <section aria-labelledby="dates" aria-live="polite">
      <Heading id="dates" className="mb-2 text-lg">
        <Trans>The dates</Trans>
      </Heading>
      {!isWhole && (
        <p className="text-muted">
          <Trans>They stand here once the times, how often and the first day are filled in.</Trans>
        </p>
      )}
      {isWhole && !data && (
        // What stands below begins below the window, so that nothing of it moves once they come.
        <div className="min-h-dvh">
          <LoadingState shape="lines" rows={6}>
            <Trans>Loading the dates</Trans>
          </LoadingState>
        </div>
      )}
      {data?.hasMore && (
        <Notice className="mb-3">
          <Trans>These are the first {most} dates: one series has no more. Choose a last day.</Trans>
        </Notice>
      )}
      {wrong > 0 && (
        <Notice tone="warning" className="mb-3">
          <Trans>Not all dates can be had. Leave those out, or choose another time for them.</Trans>
        </Notice>
      )}
      <ol className={data ? 'border-line border-t' : 'hidden'}>
        {data?.dates.map((one) => (
          <DateRow
            key={one.of}
            of={one}
            isChanged={one.of in instead}
            onLeaveOut={() => choose(one.of, null)}
            onOther={() => onOther(one)}
            onUsual={() => onChange(Object.fromEntries(Object.entries(instead).filter(([of]) => of !== one.of)))}
          />
        ))}
      </ol>
      {data && <BookkeeperTotal label={<Trans>{count} dates</Trans>} amount={formatCents(data.totalCents)} />}
      {data?.hasDeposit && (
        <p className="mt-2 text-muted text-sm">
          <Trans>One deposit stands for all dates and is paid with the first of them.</Trans>
        </p>
      )}
    </section>
  )
}

/** What the button says while dates are in the way. */
export const SettleFirst = ({ count }: { count: number }) => (
  <Plural value={count} one="One date has to be settled first" other="# dates have to be settled first" />
)

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
          <Text>{label}</Text>, <Text>{clockWords(of.from)}</Text> – <Text>{clockWords(of.until)}</Text>
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
            <Text>{of.mistake}</Text>
          </p>
        ) : (
          <p className="flex flex-wrap items-center gap-2">
            <StatusBadge kind="good">
              <Trans>Free</Trans>
            </StatusBadge>
            <span className="tabular-nums">
              <Money cents={of.totalCents} />
            </span>
          </p>
        )}
      </div>
      <div className="flex flex-wrap">
        {!of.leftOut && named(<Trans>Other time</Trans>, { onClick: onOther, label: t`Other time for ${label}` })}
        {of.leftOut
          ? named(<Trans>Put it back</Trans>, { onClick: onUsual, label: t`Put it back: ${label}` })
          : isChanged
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
  /** When it can be had, as whoever books may have it. */
  days: typeof rentalDays | typeof staffRentalDays
  onClose: () => void
  onChoose: (instead: Choices[string]) => void
}

/** Another day or hour for one date, of what is free then. */
export function OtherTime({ of, asked, days, onClose, onChoose }: OtherTimeProps) {
  const { t } = useLingui()
  const form = useZodForm(otherForm, { defaultValues: { day: of.day, from: of.from, until: of.until } })
  const [day, from] = form.watch(['day', 'from'])
  const { data } = useAnswer(
    days,
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
