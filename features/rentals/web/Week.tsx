import { Trans, useLingui } from '@lingui/react/macro'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { addDays } from '../../../shared/dates.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { rentalDays } from '../contract.ts'
import type { TimesProps } from './time-choice.ts'
import { type OpenedSlot, WeekGrid } from './WeekGrid.tsx'
import { dayText } from '../../../web/time-text.ts'

interface StepsProps {
  title: string
  before: string
  after: string
  onBefore: (() => void) | null
  onAfter: (() => void) | null
}
/** Heading of a week or month, with buttons for the previous and the next week or month. */
export const Steps = ({ title, before, after, onBefore, onAfter }: StepsProps) => (
  <div className="mb-3 flex items-center justify-between gap-2">
    <Button size="small" icon={ChevronLeft} disabled={onBefore === null} onClick={onBefore ?? undefined}>
      {before}
    </Button>
    <p aria-live="polite" className="text-center font-bold">
      {title}
    </p>
    <Button size="small" icon={ChevronRight} disabled={onAfter === null} onClick={onAfter ?? undefined}>
      {after}
    </Button>
  </div>
)

const laterOf = (a: string, b: string): string => (a > b ? a : b)

type WeekProps = TimesProps & OpenedSlot & { week: string; onWeek: (week: string) => void }

/** Seven days with their times, and buttons for earlier and later days. */
export function Week({ week, onWeek, ...props }: WeekProps) {
  const { t } = useLingui()
  const { resourceId, spaceId, pieces, today, lastDay, except } = props
  const response = useResponse(rentalDays, {
    ...{ resourceId, spaceId, pieces, from: week, days: 7 },
    ...(except !== undefined && { except }),
  })
  const end = addDays(week, 6)
  return (
    <>
      <Steps
        title={t`${dayText(week).split(', ')[1] ?? ''} to ${dayText(end).split(', ')[1] ?? ''}`}
        before={t`Earlier`}
        after={t`Later`}
        onBefore={week > today ? () => onWeek(laterOf(addDays(week, -7), today)) : null}
        onAfter={end < lastDay ? () => onWeek(addDays(week, 7)) : null}
      />
      <ResponseView response={response} loading={<Trans>Loading the times for the week</Trans>}>
        {({ days }) => <WeekGrid {...props} days={days} />}
      </ResponseView>
    </>
  )
}
