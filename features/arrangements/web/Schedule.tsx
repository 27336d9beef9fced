import { Trans } from '@lingui/react/macro'
import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import type { Installment } from '../rules.ts'
import { type ArrangementState, arrangementStates } from '../states.ts'
import { Text } from '../../../web/ui/Text.tsx'
import { Money } from '../../../web/ui/Money.tsx'

interface HowFarProps {
  of: { state: ArrangementState; paidCents: number; totalCents: number }
}

export const HowFar = ({ of: { state, paidCents, totalCents } }: HowFarProps) => (
  <p className="flex flex-wrap items-center gap-3">
    <StateBadge of={arrangementStates} state={state} />
    <strong className="tabular-nums">
      <Trans>
        {formatCents(paidCents)} of {formatCents(totalCents)} paid
      </Trans>
    </strong>
  </p>
)

interface ScheduleProps {
  installments: readonly (Installment & { openCents?: number })[]
  /** Current day. Unpaid installments due before it are late. */
  today?: string
}

export const Schedule = ({ installments, today = '' }: ScheduleProps) => (
  <table className="w-full border-collapse tabular-nums">
    <thead>
      <tr className="border-link border-b-2">
        <th scope="col" className="py-1.5 pe-3 text-start">
          <Trans>Due</Trans>
        </th>
        <th scope="col" className="py-1.5 text-end">
          <Trans>Installment</Trans>
        </th>
      </tr>
    </thead>
    <tbody>
      {installments.map(({ no, dueOn, cents, openCents }) => (
        <tr key={no} className="border-line border-b align-top">
          <td className="py-2 pe-3">
            <Text>{formatDate(dueOn)}</Text>
            {openCents !== undefined && (
              <span className="block text-muted text-sm">
                {openCents === 0 ? (
                  <Trans>Paid</Trans>
                ) : openCents < cents ? (
                  <Trans>{formatCents(openCents)} unpaid</Trans>
                ) : dueOn < today ? (
                  <Trans>Past due</Trans>
                ) : (
                  <Trans>Not due yet</Trans>
                )}
              </span>
            )}
          </td>
          <td className="py-2 text-end">
            <Money cents={cents} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
