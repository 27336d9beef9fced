import { Trans } from '@lingui/react/macro'
import { shortTime } from '../../../../web/clock.ts'
import { useResponse } from '../../../../web/query.ts'
import { Failed, LoadingState } from '../../../../web/ui/States.tsx'
import { StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { staffAt } from '../../contract.ts'
import { Text } from '../../../../web/ui/Text.tsx'

interface StaffAtProps {
  day: string
  time: string
  minutes: number
  /** Id of the item being moved. */
  exceptItem?: number | null
}

/** Shows the staff who are free at a time, and the items of the other staff. */
export function StaffAt({ day, time, minutes, exceptItem = null }: StaffAtProps) {
  const body = { day, time, minutes, exceptItem }
  const isWhole = staffAt.body.safeParse(body).success
  const { data, error, refetch } = useResponse(staffAt, body, { enabled: isWhole })
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!isWhole)
    return (
      <p className="text-muted text-sm">
        <Trans>Choose a day and a time to see staff availability.</Trans>
      </p>
    )
  if (!data)
    return (
      <LoadingState shape="lines" rows={3}>
        <Trans>Loading staff availability</Trans>
      </LoadingState>
    )
  return (
    <section aria-labelledby="staff-at">
      <h3 id="staff-at" className="mb-1 text-base">
        <Trans>Staff availability</Trans>
      </h3>
      <ul className="flex flex-col gap-1 text-sm">
        {data.people.map(({ id, name, busy }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-2">
            <StatusBadge kind={busy.length === 0 ? 'good' : 'attention'}>
              {busy.length === 0 ? <Trans>Available</Trans> : <Trans>Busy</Trans>}
            </StatusBadge>
            <span>{name}</span>
            {busy.map((item) => (
              <span key={item.from + item.title} className="text-muted wrap-anywhere">
                <Text>{shortTime(item.from)}</Text> – <Text>{shortTime(item.until)}</Text> <Text>{item.title}</Text>
              </span>
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}
