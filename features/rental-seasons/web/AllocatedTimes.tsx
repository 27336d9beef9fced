import { clockText } from '../../../shared/dates.ts'
import { Trans } from '@lingui/react/macro'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { setQuery } from '../../../web/go.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { BookkeeperTotal } from '../../../web/ui/Card.tsx'
import { StateBadge, StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import type { staffRound } from '../contract.ts'
import { applicationStates } from '../states.ts'
import { dayText } from '../../../web/time-text.ts'
import { Code, Text } from '../../../web/ui/Text.tsx'

type Round = ResponseOf<typeof staffRound>
type AllocatedTime = Round['results'][number]

/** Allocated dates of each applicant in lottery order, each with its conflict and price. */
export const AllocatedTimes = ({ of }: { of: Round }) => (
  <>
    <ol className="border-line border-t text-table">
      {of.results.map((one, n) => (
        <li key={one.number} className="border-line border-b py-2">
          <details>
            <summary className="cursor-pointer py-1">
              <span className="inline-flex max-w-[calc(100%-1.5rem)] flex-wrap items-center gap-x-3 gap-y-1 align-top">
                <strong>
                  <Code>{n + 1}</Code>. <Code>{one.number}</Code>
                </strong>
                <span>{one.name}</span>
                {one.group && <span className="text-muted">{one.group}</span>}
                {one.status !== 'submitted' && <StateBadge of={applicationStates} state={one.status} />}
                <span className="tabular-nums">
                  <Trans>
                    Allocated: {one.allocations.length}, not allocated: {one.missed.length}, total:{' '}
                    {formatCents(one.totalCents)}
                  </Trans>
                </span>
              </span>
            </summary>
            <Times of={one} />
          </details>
        </li>
      ))}
    </ol>
    <BookkeeperTotal label={<Trans>Total allocated</Trans>} amount={formatCents(of.totalCents)} />
  </>
)

const Times = ({ of }: { of: AllocatedTime }) => (
  <div className="flex flex-col gap-3 py-2 ps-5">
    {of.allocations.map(({ what, dates, totalCents }, n) => (
      <div key={n}>
        <p className="flex justify-between gap-3 font-bold">
          <Text>{what}</Text> <span className="tabular-nums">{formatCents(totalCents)}</span>
        </p>
        <ul>
          {dates.map(({ day, from, until, mistake, totalCents: cents }) => (
            <li key={`${day} ${from}`} className="flex flex-wrap justify-between gap-x-3">
              <span>
                <Text>{dayText(day)}</Text>, <Text>{clockText(from)}</Text> – <Text>{clockText(until)}</Text>
              </span>
              {mistake ? (
                <span className="flex flex-wrap items-center gap-2">
                  <StatusBadge kind="bad">
                    <Trans>Not available</Trans>
                  </StatusBadge>
                  <Text>{mistake}</Text>
                </span>
              ) : (
                <span className="tabular-nums">{formatCents(cents)}</span>
              )}
            </li>
          ))}
        </ul>
      </div>
    ))}
    {of.missed.map(({ what, why }, n) => (
      <p key={n}>
        <span className="font-bold">{what}</span>: <Text>{why}</Text>
      </p>
    ))}
    <Button size="small" className="self-start" onClick={() => setQuery({ application: String(of.applicationId) })}>
      <Trans>View {of.number}</Trans>
    </Button>
  </div>
)
