import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import type { RowOf } from '../../../shared/list.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { call } from '../../../web/call.ts'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { ReasonDialog } from '../../../web/ui/ReasonDialog.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { openBankLine } from '../contract.ts'
import type { bankLines } from '../list.ts'
import { lineResolutionLabels } from '../rules.ts'
import { refreshReconciliation } from './fresh.ts'

type BankLine = RowOf<typeof bankLines>

/** Slide-out of a bank line, with its match and the reason. Staff can undo a wrong match here. */
export function BankLineSlideOut({ line, onClose }: { line: BankLine; onClose: () => void }) {
  const { t } = useLingui()
  const [isConfirming, setIsConfirming] = useState(false)
  const { id, became } = line
  const label = translated(lineResolutionLabels[became])
  return (
    <SlideOut title={t`Bank transaction on ${formatDate(line.day)}`} onClose={onClose}>
      <p className="mb-4">
        <strong className="text-lg tabular-nums">{formatCents(line.amount)}</strong>
      </p>
      <DetailList
        details={[
          [t`Bank description`, line.text || '–'],
          ...(line.reference ? [[t`Reference`, line.reference] as const] : []),
          [t`Account`, line.account || '–'],
          [t`Match`, label],
          ...(line.decidedBy ? [[t`Decided by`, line.decidedBy] as const] : []),
          ...(line.reason ? [[t`Reason`, line.reason] as const] : []),
        ]}
      />
      {became === 'open' && (
        <p className="mt-4">
          <Link className="link" to="/municipality/reports/exceptions?status=open&kind=bank_unknown">
            <Trans>Resolve this transaction in Exceptions</Trans>
          </Link>
        </p>
      )}
      {became !== 'open' && may('reconcile', 'update') && (
        <p className="mt-5">
          <Button size="small" onClick={() => setIsConfirming(true)}>
            <Trans>Undo match</Trans>
          </Button>
        </p>
      )}
      {isConfirming && (
        <ReasonDialog
          title={t`Undo match`}
          text={
            <Trans>
              This transaction is matched as “{label}”. If you undo the match, any ledger entry from it will be reversed
              today and the transaction will appear in Exceptions. You can then choose the correct match there.
            </Trans>
          }
          hint={t`Auditors can read this reason.`}
          draft={`bank-line:${id}`}
          onReason={async (reason) => {
            toast((await call(openBankLine, { id, reason, basis: { became } })).message)
            await refreshReconciliation()
            onClose()
          }}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </SlideOut>
  )
}
