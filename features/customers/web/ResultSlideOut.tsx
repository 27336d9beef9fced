import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { LockOpen, Mail, UserRoundSearch } from 'lucide-react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { reload } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { CloseAction, SlideOut } from '../../../web/ui/Dialog.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { NO_FILTER } from '../../../web/ui/office/table/table-state.ts'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { lookup, resendConfirmation, unlockUser } from '../contract.ts'

export type LookupRow = ResponseOf<typeof lookup>['rows'][number]

export const statuses = { active: 'good', locked: 'bad', inactive: 'waiting' } as const
export const statusLabels: Record<keyof typeof statuses, MessageDescriptor> = {
  active: msg`Active`,
  locked: msg`Locked`,
  inactive: msg`Inactive`,
}

interface Props {
  result: LookupRow
  onImpersonate: () => void
  onClose: () => void
}

/** One person from the search, with the actions available to platform staff. */
export function ResultSlideOut({ result, onImpersonate, onClose }: Props) {
  const { t } = useLingui()
  const { act, busy, refusal } = useAct(() => reload(lookup))
  const { can, companyId, company, user_id: personId, name, email, status } = result
  const take = (step: typeof unlockUser) => {
    if (personId !== null) void act(() => call(step, { companyId, personId }))
  }
  return (
    <SlideOut title={name || email} onClose={onClose} actions={<CloseAction onClose={onClose} />}>
      <Refusal className="mb-4">{refusal}</Refusal>
      <DetailList
        details={[
          [t`Company`, company],
          [t`Email`, <span className="wrap-anywhere">{email}</span>],
          ...(personId === null
            ? []
            : ([
                [t`Email confirmed`, result.confirmed ? t`Yes` : t`No`],
                [t`Role`, result.role],
                [t`Status`, status ? t(statusLabels[status]) : ''],
              ] as const)),
          [t`Service Address`, result.serviceAddress || '–'],
          [t`Phone`, formatPhone(result.phone) || '–'],
          [t`Account Number`, result.accountNumbers.join(', ') || '–'],
        ]}
      />
      {can.activity && (
        <p className="mt-4">
          <Link
            className="link"
            to={`/admin/reports/audit-log?companyId=${companyId}&kind=${NO_FILTER}&search=${encodeURIComponent(email)}`}
          >
            <Trans>Activity for {name || email}</Trans>
          </Link>
        </p>
      )}
      <div className="mt-6 flex flex-wrap gap-2 border-line border-t pt-5 empty:hidden">
        {can.impersonate && (
          <Button icon={UserRoundSearch} disabled={busy} onClick={onImpersonate}>
            <Trans>Impersonate</Trans>
          </Button>
        )}
        {can.unlock && (
          <Button icon={LockOpen} busy={busy} onClick={() => take(unlockUser)}>
            <Trans>Unlock</Trans>
          </Button>
        )}
        {can.resend && (
          <Button icon={Mail} disabled={busy} onClick={() => take(resendConfirmation)}>
            <Trans>Resend confirmation email</Trans>
          </Button>
        )}
      </div>
    </SlideOut>
  )
}
