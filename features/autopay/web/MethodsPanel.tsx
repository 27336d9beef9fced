import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { CreditCard, Landmark } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { shortDay } from '../../../web/clock.ts'
import { go } from '../../../web/go.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Panel } from '../../../web/ui/Card.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { makeDefaultMethod, removePaymentMethod } from '../contract.ts'
import { methods as methodNumbers } from '../../payments/rules.ts'
import { expiryText, finishPaymentMethod } from '../../payments/stored-methods.ts'
import { AddMethod } from './AddMethod.tsx'
import { type PaymentMethodsResponse, type Method, reloadBoth } from './stored-methods.ts'
import { Text } from '../../../web/ui/Text.tsx'

/** Shows saved cards and bank accounts. One is the default. Residents can remove methods and add others. */
export function MethodsPanel({ stored, mayChange }: { stored: PaymentMethodsResponse; mayChange: boolean }) {
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Method | null>(null)
  const { act, busy, refusal } = useAct(reloadBoth)
  const remove = async ({ id, pays }: Method) => {
    await act(() => call(removePaymentMethod, { id, endAutopay: pays.length > 0 }))
    setRemoving(null)
  }
  return (
    <Panel id="payment-methods" title={<Trans>Payment methods</Trans>}>
      <div className="flex flex-col gap-4">
        <p>
          <Trans>
            The payment provider stores your payment methods. We see only the last digits, never the full number.
          </Trans>
        </p>
        <Refusal>{refusal}</Refusal>
        {stored.toConfirm.length > 0 && <ToConfirm stored={stored} mayChange={mayChange} />}
        {stored.methods.length === 0 ? (
          <p className="text-muted">
            <Trans>You have no saved card or bank account yet.</Trans>
          </p>
        ) : (
          <ul>
            {stored.methods.map((method) => (
              <Row
                key={method.id}
                method={method}
                mayChange={mayChange}
                busy={busy}
                onDefault={() => void act(() => call(makeDefaultMethod, { id: method.id }))}
                onRemove={() => setRemoving(method)}
              />
            ))}
          </ul>
        )}
        {mayChange &&
          (adding ? (
            <AddMethod stored={stored} onDone={() => setAdding(false)} />
          ) : (
            <div>
              <Button onClick={() => setAdding(true)}>
                <Trans>Add a card or bank account</Trans>
              </Button>
            </div>
          ))}
      </div>
      {removing && (
        <ConfirmDialog
          title={<Trans>Remove {removing.methodLabel}?</Trans>}
          confirmLabel={removing.pays.length > 0 ? <Trans>Remove and end AutoPay</Trans> : <Trans>Remove</Trans>}
          danger
          busy={busy}
          onConfirm={() => void remove(removing)}
          onClose={() => setRemoving(null)}
        >
          {removing.pays.length > 0 ? (
            <Trans>
              AutoPay uses this payment method for{' '}
              <Plural value={removing.pays.length} one="account" other="accounts" /> {removing.pays.join(', ')}. If you
              remove it, AutoPay will end. To keep AutoPay, first choose another card or bank account under AutoPay.
            </Trans>
          ) : (
            <Trans>The payment provider will delete this payment method. You can add it again later.</Trans>
          )}
        </ConfirmDialog>
      )}
    </Panel>
  )
}

/** Shows bank accounts that await confirmation of their small deposits on the payment provider's page. */
function ToConfirm({ stored: { toConfirm }, mayChange }: { stored: PaymentMethodsResponse; mayChange: boolean }) {
  const { act, busy, refusal } = useAct(reloadBoth)
  const name = (setup: string) =>
    act(async () => {
      const response = await call(finishPaymentMethod, { setup })
      if (response.actionUrl) go(response.actionUrl)
      return response
    })
  return (
    <>
      <Refusal>{refusal}</Refusal>
      <ul>
        {toConfirm.map(({ setup, since }) => (
          <li
            key={setup}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-y py-3"
          >
            <p className="min-w-56 flex-1">
              <Trans>
                The bank account added on {shortDay(since)} is waiting for two small deposits. We will save it after you
                confirm the deposits.
              </Trans>
            </p>
            {mayChange && (
              <Button size="small" disabled={busy} onClick={() => void name(setup)}>
                <Trans>Confirm small deposits</Trans>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

interface RowProps {
  method: Method
  mayChange: boolean
  busy: boolean
  onDefault: () => void
  onRemove: () => void
}

function Row({ method, mayChange, busy, onDefault, onRemove }: RowProps) {
  const { t } = useLingui()
  const { methodLabel, bankName, expiresOn, pays, isDefault } = method
  const Icon = method.method === methodNumbers.card ? CreditCard : Landmark
  const expires = expiresOn && expiryText(expiresOn)
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-line border-b py-3 first:border-t">
      <div className="flex min-w-56 flex-1 gap-3">
        <Icon size={20} aria-hidden className="mt-1 shrink-0 text-muted" />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-bold">
            <Text>{methodLabel}</Text> <Badge method={method} />
          </p>
          <p className="text-muted text-sm">
            <Text>{expires ? <Trans>Expires {expires}</Trans> : bankName}</Text>
            {pays.length > 0 && (
              <>
                {' · '}
                <Trans>
                  AutoPay for <Plural value={pays.length} one="account" other="accounts" /> {pays.join(', ')}
                </Trans>
              </>
            )}
          </p>
        </div>
      </div>
      {mayChange && (
        <div className="flex flex-wrap gap-2">
          {!isDefault && method.unusable === '' && !method.expired && (
            <Button size="small" disabled={busy} aria-label={t`Make default: ${methodLabel}`} onClick={onDefault}>
              <Trans>Make default</Trans>
            </Button>
          )}
          <Button size="small" disabled={busy} aria-label={t`Remove ${methodLabel}`} onClick={onRemove}>
            <Trans>Remove</Trans>
          </Button>
        </div>
      )}
    </li>
  )
}

function Badge({ method: { unusable, expired, isDefault } }: { method: Method }) {
  if (unusable === 'revoked')
    return (
      <StatusBadge kind="bad">
        <Trans>Authorization revoked</Trans>
      </StatusBadge>
    )
  if (unusable === 'elsewhere')
    return (
      <StatusBadge kind="bad">
        <Trans>Add again: payment provider changed</Trans>
      </StatusBadge>
    )
  if (unusable === 'details')
    return (
      <StatusBadge kind="bad">
        <Trans>Declined by the bank</Trans>
      </StatusBadge>
    )
  if (expired)
    return (
      <StatusBadge kind="attention">
        <Trans>Expired</Trans>
      </StatusBadge>
    )
  if (!isDefault) return null
  return (
    <StatusBadge kind="good">
      <Trans>Default</Trans>
    </StatusBadge>
  )
}
