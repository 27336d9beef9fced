import { Trans, useLingui } from '@lingui/react/macro'
import { Unlink } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { call, messageOf } from '../../../web/call.ts'
import { reload } from '../../../web/query.ts'
import { useSession } from '../../../web/session.ts'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { linkedAccounts, unlinkAccount } from '../contract.ts'
import { accountPath } from '../rules.ts'
import { ShutoffNotice } from './ShutoffNotice.tsx'
import { Code } from '../../../web/ui/Text.tsx'
import { Money } from '../../../web/ui/Money.tsx'

export type Account = ResponseOf<typeof linkedAccounts>['accounts'][number]

/** Returns the amount that can be paid now. In cents. */
export const payableOf = ({ owedCents, pendingCents }: Account): number => Math.max(0, owedCents - pendingCents)

interface Props {
  account: Account
  /** True if selected for a combined payment. Null if the account cannot be selected. */
  chosen: boolean | null
  onChoose: () => void
  onPay: (() => void) | null
  /** Adds the account to the open cart. Null if no cart is open. */
  onAdd: (() => void) | null
}

/** Card of one account, with its balance and actions. */
export function AccountCard({ account, chosen, onChoose, onPay, onAdd }: Props) {
  const { t } = useLingui()
  const [asking, setAsking] = useState(false)
  const own = !useSession()?.impersonating
  const { id, number, nickname, address, can } = account
  const name = nickname || number
  return (
    <li className="rounded-sm border border-line bg-surface p-5 md:p-6">
      <div className="grid items-start gap-x-8 gap-y-4 md:grid-cols-[1fr_auto]">
        <div className="flex min-w-0 gap-4">
          {chosen !== null && (
            <input
              type="checkbox"
              aria-label={t`Pay ${name} together with other accounts`}
              checked={chosen}
              onChange={onChoose}
              className="mt-1 size-6 shrink-0"
            />
          )}
          <div className="min-w-0">
            <h2 className="text-h3 wrap-anywhere">{name}</h2>
            <p className="text-muted">
              {nickname && (
                <>
                  <Trans>Account {number}</Trans>
                  <br />
                </>
              )}
              <Code>{address}</Code>
            </p>
            <AutopayLine of={account.autopay} />
            {account.leftOn && (
              <p className="text-muted">
                <Trans>You moved out on {formatDate(account.leftOn)}. The final bill and the history stay here.</Trans>
              </p>
            )}
          </div>
        </div>
        <Balance account={account} />
      </div>
      {account.shutoff && (
        <div className="mt-4">
          <ShutoffNotice of={account.shutoff} pastDueCents={account.pastDueCents} />
        </div>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        {onPay && (
          <Button variant="primary" onClick={onPay}>
            <Trans>
              Pay {formatCents(payableOf(account))}
              <span className="spoken"> for {name}</span>
            </Trans>
          </Button>
        )}
        <LinkButton to={accountPath(id)}>
          <Trans>
            View account<span className="spoken"> {name}</span>
          </Trans>
        </LinkButton>
        {can.unlink && own && (
          <Button variant="quiet" icon={Unlink} onClick={() => setAsking(true)}>
            <Trans>
              Unlink<span className="spoken"> {name}</span>
            </Trans>
          </Button>
        )}
        {onAdd && (
          <Button onClick={onAdd}>
            <Trans>
              Add to cart<span className="spoken"> {name}</span>
            </Trans>
          </Button>
        )}
      </div>
      {asking && <ConfirmUnlink account={account} name={name} onClose={() => setAsking(false)} />}
    </li>
  )
}

/** AutoPay status with a link to its settings. */
export function AutopayLine({ of: autopay }: { of: Account['autopay'] }) {
  if (!autopay) return null
  const { state, expiresOn } = autopay
  return (
    <p className="mt-1">
      {state === 'active' && expiresOn && (
        <Trans>AutoPay will end when the card expires on {formatDate(expiresOn)}.</Trans>
      )}
      {state === 'active' && !expiresOn && <Trans>AutoPay is on.</Trans>}
      {state === 'paused' && <Trans>AutoPay is paused, so we are not making automatic payments.</Trans>}
      {(state === 'ended' || state === 'removed') && (
        <Trans>AutoPay has ended. Please pay your bills yourself.</Trans>
      )}{' '}
      <Link className="link" to="/profile/payment-methods">
        <Trans>View AutoPay</Trans>
      </Link>
    </p>
  )
}

/** Amount due and due date, with past due, pending and credit amounts. */
export function Balance({ account }: { account: Account }) {
  const { owedCents, pendingCents, pastDueCents, dueDate } = account
  return (
    <div className="flex flex-col items-start gap-1.5 md:items-end">
      <p className="font-bold font-display text-lg tabular-nums">
        <span className="spoken">{owedCents < 0 ? <Trans>Credit</Trans> : <Trans>Balance</Trans>}</span>{' '}
        <Money cents={Math.abs(owedCents)} />
      </p>
      {owedCents > 0 && dueDate && (
        <p className="text-muted">
          <Trans>Due {formatDate(dueDate)}</Trans>
        </p>
      )}
      {pastDueCents > 0 && (
        <StatusBadge kind="attention">
          <Trans>{formatCents(pastDueCents)} past due</Trans>
        </StatusBadge>
      )}
      {pendingCents > 0 && (
        <StatusBadge kind="waiting">
          <Trans>{formatCents(pendingCents)} pending</Trans>
        </StatusBadge>
      )}
      {owedCents < 0 && (
        <StatusBadge kind="good">
          <Trans>Credit</Trans>
        </StatusBadge>
      )}
      {owedCents === 0 && pendingCents === 0 && (
        <StatusBadge kind="good">
          <Trans>No amount due</Trans>
        </StatusBadge>
      )}
    </div>
  )
}

function ConfirmUnlink({ account, name, onClose }: { account: Account; name: string; onClose: () => void }) {
  const [busy, setBusy] = useState(false)
  const unlink = async () => {
    setBusy(true)
    try {
      const { message } = await call(unlinkAccount, { accountId: account.id })
      await reload(linkedAccounts)
      toast(message)
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    onClose()
  }
  return (
    <ConfirmDialog
      title={<Trans>Unlink {name}?</Trans>}
      confirmLabel={<Trans>Unlink account</Trans>}
      cancelLabel={<Trans>Keep account</Trans>}
      danger
      busy={busy}
      onConfirm={() => void unlink()}
      onClose={onClose}
    >
      <Trans>
        We will remove the account from your list and stop sending you messages about the account. We will also end any
        sharing that you set up for the account. You still owe any amount due. You can link the account again with its
        number and the amount of a recent bill.
      </Trans>
    </ConfirmDialog>
  )
}
