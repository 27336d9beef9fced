import { Trans, useLingui } from '@lingui/react/macro'
import { formatShortDate } from '../../../shared/dates.ts'
import type { RowOf } from '../../../shared/list.ts'
import { formatCents } from '../../../shared/money.ts'
import { call } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { reload } from '../../../web/query.ts'
import { DetailList } from '../../../web/ui/Card.tsx'
import { CloseAction, SlideOut } from '../../../web/ui/Dialog.tsx'
import { MoveButtons } from '../../../web/ui/MoveButtons.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { endAutopayByStaff } from '../contract.ts'
import { autopayRemovals, autopayReport } from '../list.ts'
import { autopayStates } from '../states.ts'

export type AutopayRow = RowOf<typeof autopayReport>

/** Shows one enrollment to staff, who may pause or end it. The resident receives the reason. */
export function EnrollmentSlideOut({ row, onClose }: { row: AutopayRow; onClose: () => void }) {
  const { t } = useLingui()
  const { id, reference, status, can, pausedBy, nextOn, nextCents } = row
  const next = nextOn && nextCents !== null ? t`${formatShortDate(nextOn)}, ${formatCents(nextCents)}` : t`None planned`
  const isOffered = (event: 'halt' | 'stop') => can[event] ?? false
  return (
    <SlideOut
      title={<Trans>AutoPay for account {reference}</Trans>}
      onClose={onClose}
      actions={<CloseAction onClose={onClose} />}
    >
      <StateBadge of={autopayStates} state={status} />
      <DetailList
        className="mt-4 text-table"
        details={[
          [t`Name`, row.name],
          [t`Email`, row.email],
          [t`Method`, row.methodLabel],
          [t`Enrolled`, shortInstant(row.enrolledAt)],
          [t`Next charge`, next],
          ...(pausedBy ? ([[t`Paused by`, `${pausedBy}: ${row.pauseReason}`]] as const) : []),
        ]}
      />
      <MoveButtons
        of={autopayStates}
        can={{ pause: false, resume: false, end: false, halt: isOffered('halt'), stop: isOffered('stop') }}
        dialog={{
          text: (event) =>
            event === 'stop' ? (
              <Trans>
                Planned charges will be cancelled. The resident will be notified and must pay the bills directly.
              </Trans>
            ) : (
              <Trans>Nothing will be charged until the resident resumes AutoPay. The resident will be notified.</Trans>
            ),
          hint: t`Shown to the resident.`,
          draft: `autopay:${id}`,
        }}
        onPress={async (event, reason = '') => {
          if (event !== 'halt' && event !== 'stop') return
          toast((await call(endAutopayByStaff, { id, event, reason })).message)
          await Promise.all([reload(autopayReport.call), reload(autopayRemovals.call)])
          onClose()
        }}
      />
    </SlideOut>
  )
}
