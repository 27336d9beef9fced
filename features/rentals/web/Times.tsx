import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useResponse } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { LoadingState } from '../../../web/ui/States.tsx'
import { rentalDays } from '../contract.ts'
import { Month } from './Month.tsx'
import type { TimesProps } from './time-choice.ts'
import { firstUseful } from './time-variants.ts'
import { Week } from './Week.tsx'

/** Maximum number of days in one call. */
const MAX_DAYS = 42

/** Availability calendar: days of a month, and times of the chosen week. */
export function Times(props: TimesProps) {
  const { resourceId, spaceId, pieces, today, except, chosen, opensOn } = props
  const [opens] = useState(chosen?.day ?? opensOn)
  const ahead = useResponse(
    rentalDays,
    { ...{ resourceId, spaceId, pieces, from: today, days: MAX_DAYS }, ...(except !== undefined && { except }) },
    { enabled: opens === undefined },
  )
  if (opens === undefined && ahead.isPending)
    return (
      <LoadingState>
        <Trans>Loading the times for the week</Trans>
      </LoadingState>
    )
  return <WeekOrMonth {...props} first={opens ?? firstUseful(ahead.data?.days ?? [], today)} />
}

function WeekOrMonth({ first, ...props }: TimesProps & { first: string }) {
  // First of the seven visible days. The seven days do not follow the calendar week, because that week may have no free
  // days left.
  const [week, setWeek] = useState(first)
  const [asMonth, setAsMonth] = useState(false)
  /**
   * Day that the user chose in the month view. The button of this day disappears, so the focus moves to the first time
   * of the day.
   */
  const [opened, setOpened] = useState<string | null>(null)
  return (
    <div>
      <div className="mb-3 flex flex-wrap gap-2" role="group">
        <Button
          size="small"
          variant={asMonth ? 'secondary' : 'primary'}
          aria-pressed={!asMonth}
          onClick={() => setAsMonth(false)}
        >
          <Trans>Week</Trans>
        </Button>
        <Button
          size="small"
          variant={asMonth ? 'primary' : 'secondary'}
          aria-pressed={asMonth}
          onClick={() => setAsMonth(true)}
        >
          <Trans>Month</Trans>
        </Button>
      </div>
      {asMonth ? (
        <Month
          {...props}
          start={week}
          onDay={(day) => {
            setWeek(day)
            setOpened(day)
            setAsMonth(false)
          }}
        />
      ) : (
        <Week {...props} week={week} onWeek={setWeek} opened={opened} onOpened={() => setOpened(null)} />
      )}
    </div>
  )
}
