import { clockText } from '../../../shared/dates.ts'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { formatCents } from '../../../shared/money.ts'
import { useResponse } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { BookkeeperTotal } from '../../../web/ui/Card.tsx'
import { DateField } from '../../../web/ui/Choice.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { LoadingState } from '../../../web/ui/States.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { type rentalDays, type SeriesDates as Dates, seriesForm, type staffRentalDays } from '../contract.ts'
import { FreeTimeFields } from './parts/FreeTimeFields.tsx'
import { dayText } from '../../../web/time-text.ts'
import { Text } from '../../../web/ui/Text.tsx'
import { Money } from '../../../web/ui/Money.tsx'

export type OneDate = Dates['dates'][number]
/** Replacements for dates of the recurrence rule, by day. Null skips a date. */
export type Choices = Readonly<Record<string, Pick<OneDate, 'day' | 'from' | 'until'> | null>>

/** Converts the replacements to the format that the calls expect. */
export const choicesOf = (instead: Choices) => Object.entries(instead).map(([of, to]) => ({ of, instead: to }))
export const countOf = (data: Dates | undefined) => ({
  count: data?.dates.filter(({ leftOut }) => !leftOut).length ?? 0,
  invalidCount: data?.dates.filter(({ mistake }) => mistake !== '').length ?? 0,
})

interface SeriesDatesProps {
  /** Heading level, which depends on the surrounding page. */
  as?: 'h2' | 'h3'
  data: Dates | undefined
  /** True if start, end and interval are complete. The dates load only then. */
  isWhole: boolean
  /** Maximum number of dates in one series. */
  max: number
  instead: Choices
  onChange: (instead: Choices) => void
  /** Opens `OtherTime` for a date. The parent must render `OtherTime` outside the form. */
  onOther: (of: OneDate) => void
}

/** Dates of a series, each with its conflict, price and alternative. */
export function SeriesDates({ as: Heading = 'h3', isWhole, max, instead, onChange, onOther, ...of }: SeriesDatesProps) {
  const data = isWhole ? of.data : undefined
  const choose = (of: string, to: Choices[string]) => onChange({ ...instead, [of]: to })
  const { count, invalidCount } = countOf(data)
  return (
    <section aria-labelledby="dates" aria-live="polite">
      <Heading id="dates" className="mb-2 text-lg">
        <Trans>Dates</Trans>
      </Heading>
      {!isWhole && (
        <p className="text-muted">
          <Trans>The dates appear here after you enter the times, the repeat interval and the first day.</Trans>
        </p>
      )}
      {isWhole && !data && (
        // Fills the window height while the dates load, so that the content below does not move later.
        <div className="min-h-dvh">
          <LoadingState shape="lines" rows={6}>
            <Trans>Loading the dates</Trans>
          </LoadingState>
        </div>
      )}
      {data?.hasMore && (
        <Notice className="mb-3">
          <Trans>
            <Plural value={max} one="Only the first date is shown" other="Only the first # dates are shown" />, because
            this is the maximum for one recurring reservation. To reserve fewer dates, choose an earlier last day.
          </Trans>
        </Notice>
      )}
      {invalidCount > 0 && (
        <Notice tone="warning" className="mb-3">
          <Trans>Some dates are not available. Skip them, or choose another time for them.</Trans>
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
      {data && (
        <BookkeeperTotal
          label={<Plural value={count} one="# date" other="# dates" />}
          amount={formatCents(data.totalCents)}
        />
      )}
      {data?.hasDeposit && (
        <p className="mt-2 text-muted text-sm">
          <Trans>One security deposit covers all dates. It is paid with the first date.</Trans>
        </p>
      )}
    </section>
  )
}

/** Label of the submit button while some dates have conflicts. Shows the number of these dates. */
export const FinishFirst = ({ count }: { count: number }) => (
  <Plural value={count} one="Resolve one date conflict first" other="Resolve # date conflicts first" />
)

interface DateRowProps {
  of: OneDate
  /** True if the date differs from the recurrence rule. */
  isChanged: boolean
  onLeaveOut: () => void
  onOther: () => void
  onUsual: () => void
}

function DateRow({ of, isChanged, onLeaveOut, onOther, onUsual }: DateRowProps) {
  const { t } = useLingui()
  const label = dayText(of.day)
  const named = (text: ReactNode, button: { onClick: () => void; label: string }) => (
    <Button size="small" variant="quiet" aria-label={button.label} onClick={button.onClick}>
      {text}
    </Button>
  )
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-2 text-table">
      <div className="min-w-0 flex-1 basis-44">
        <p className={of.leftOut ? 'text-muted line-through' : 'font-bold'}>
          <Text>{label}</Text>, <Text>{clockText(of.from)}</Text> – <Text>{clockText(of.until)}</Text>
        </p>
        {of.leftOut ? (
          <p className="text-muted">
            <Trans>Skipped</Trans>
          </p>
        ) : of.mistake ? (
          <p className="flex flex-wrap items-center gap-2">
            <StatusBadge kind="bad">
              <Trans>Not available</Trans>
            </StatusBadge>
            <Text>{of.mistake}</Text>
          </p>
        ) : (
          <p className="flex flex-wrap items-center gap-2">
            <StatusBadge kind="good">
              <Trans>Available</Trans>
            </StatusBadge>
            <span className="tabular-nums">
              <Money cents={of.totalCents} />
            </span>
          </p>
        )}
      </div>
      <div className="flex flex-wrap">
        {!of.leftOut && named(<Trans>Change time</Trans>, { onClick: onOther, label: t`Change time: ${label}` })}
        {of.leftOut
          ? named(<Trans>Restore date</Trans>, { onClick: onUsual, label: t`Restore date: ${label}` })
          : isChanged
            ? named(<Trans>Undo change</Trans>, { onClick: onUsual, label: t`Undo change: ${label}` })
            : named(<Trans>Skip date</Trans>, { onClick: onLeaveOut, label: t`Skip date: ${label}` })}
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
  selection: { resourceId: number; spaceId: number; pieces: number }
  /** Call that lists available times. Residents and staff use different calls. */
  days: typeof rentalDays | typeof staffRentalDays
  onClose: () => void
  onChoose: (instead: Choices[string]) => void
}

/** Dialog to choose another available day or hour for one date. */
export function OtherTime({ of, selection, days, onClose, onChoose }: OtherTimeProps) {
  const { t } = useLingui()
  const form = useZodForm(otherForm, { defaultValues: { day: of.day, from: of.from, until: of.until } })
  const day = form.watch('day')
  const { data } = useResponse(
    days,
    { resourceId: selection.resourceId, spaceId: selection.spaceId, pieces: selection.pieces, from: day, days: 1 },
    { enabled: otherForm.shape.day.safeParse(day).success },
  )
  const steps = data?.days[0]?.steps ?? []
  return (
    <FormDialog
      title={<Trans>New time for {dayText(of.of)}</Trans>}
      form={form}
      submit={<Trans>Use this time</Trans>}
      onClose={onClose}
      onSubmit={async (values) => onChoose(values)}
    >
      <DateField label={t`Day`} {...form.field('day')} />
      <FreeTimeFields form={form} steps={steps} className="grid grid-cols-2 gap-4" />
    </FormDialog>
  )
}
