import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList, Panel } from '../../../web/ui/Card.tsx'
import { MoveButtons } from '../../../web/ui/MoveButtons.tsx'
import { Notice, Refusal } from '../../../web/ui/Notice.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { transitionAutopay, skipAutopay } from '../contract.ts'
import { chargeStates } from '../rules.ts'
import { say, translated } from '../../../shared/messages.ts'
import { autopayStates } from '../states.ts'
import { EnrollForm } from './EnrollForm.tsx'
import { type MyAutopayResponse, type Method, reloadBoth, type PayableItem } from './stored-methods.ts'

type Enrollment = NonNullable<PayableItem['autopay']>

interface PanelProps {
  loaded: MyAutopayResponse
  methods: readonly Method[]
  mayChange: boolean
}

/** Shows the resident's accounts, each with its AutoPay or a button to enroll. */
export function AutopayPanel({ loaded, methods, mayChange }: PanelProps) {
  const [edited, setEdited] = useState<PayableItem | null>(null)
  const usable = methods.filter(({ unusable, expired }) => unusable === '' && !expired)
  const { noticeDays } = loaded
  return (
    <Panel id="autopay" title={<Trans>AutoPay</Trans>}>
      <div className="flex flex-col gap-4">
        <p>
          <Trans>
            AutoPay pays your bills automatically with the card or bank account that you choose. We notify you{' '}
            <Plural value={noticeDays} one="# day" other="# days" /> before each payment.
          </Trans>
        </p>
        {!loaded.enabled && (
          <Notice tone="info">
            <Trans>We do not currently offer AutoPay. Nothing will be charged automatically.</Trans>
          </Notice>
        )}
        {loaded.items.length === 0 && (
          <p className="text-muted">
            <Trans>No account is linked to your profile. Link an account first to use AutoPay.</Trans>
          </p>
        )}
        {loaded.enabled && loaded.items.length > 0 && usable.length === 0 && (
          <Notice tone="info">
            <Trans>Add a card or bank account above to turn on AutoPay.</Trans>
          </Notice>
        )}
        <ul>
          {loaded.items.map((item) => (
            <Row
              key={`${item.kind} ${item.id}`}
              item={item}
              mayChange={mayChange}
              mayEnroll={loaded.enabled && usable.length > 0}
              onEdit={() => setEdited(item)}
            />
          ))}
        </ul>
      </div>
      {edited && <EnrollForm item={edited} loaded={loaded} methods={usable} onClose={() => setEdited(null)} />}
    </Panel>
  )
}

interface RowProps {
  item: PayableItem
  mayChange: boolean
  mayEnroll: boolean
  onEdit: () => void
}

function Row({ item, mayChange, mayEnroll, onEdit }: RowProps) {
  const { t } = useLingui()
  const { reference, title, owedCents, dueDate, autopay } = item
  return (
    <li className="border-line border-b py-4 first:border-t">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="text-tile">
          <Trans>Account {reference}</Trans> <span className="block font-normal text-muted text-base">{title}</span>
        </h3>
        {autopay && <StateBadge of={autopayStates} state={autopay.state} />}
      </div>
      <DetailList
        className="mt-2"
        details={[
          [t`Amount due`, formatCents(owedCents)],
          ...(dueDate && owedCents > 0 ? ([[t`Due`, formatDate(dueDate)]] as const) : []),
          ...(autopay ? detailsOf(autopay) : []),
        ]}
      />
      {autopay?.last?.state === 'refused' && autopay.state === 'active' && owedCents > 0 && (
        <Notice tone="warning" className="mt-3">
          <Trans>
            AutoPay will not pay the {formatCents(autopay.last.cents)} due on {formatDate(autopay.last.dueDate)}. Pay it
            yourself to avoid a late payment.
          </Trans>
        </Notice>
      )}
      {autopay?.halted && (
        <Notice tone="warning" className="mt-3">
          <Trans>We paused AutoPay for this account. Reason: {autopay.halted}</Trans>
        </Notice>
      )}
      {mayChange && (
        <>
          {autopay && <Steps autopay={autopay} reference={reference} mayChange={mayEnroll} onEdit={onEdit} />}
          {!autopay && mayEnroll && (
            <Button
              size="small"
              className="mt-3"
              aria-label={t`Turn on AutoPay for account ${reference}`}
              onClick={onEdit}
            >
              <Trans>Turn on AutoPay</Trans>
            </Button>
          )}
        </>
      )}
    </li>
  )
}

/** Lists the terms, the next charge and the last charge. */
function detailsOf({ terms, next, last, state, skipNext }: Enrollment): (readonly [string, string])[] {
  const details: (readonly [string, string])[] = [
    [say`Payment method`, terms],
    [say`Next payment`, upcomingText(next, state === 'paused', skipNext)],
  ]
  if (!last) return details
  const became = translated(chargeStates[last.state])
  // Shows only an attempted charge as a payment. A skipped, refused or not owed charge was never made.
  if (last.state === 'paid' || last.state === 'failed')
    return [
      ...details,
      [say`Last payment`, `${say`${formatCents(last.cents)} on ${formatDate(last.on)}: ${became}.`} ${last.reason}`],
    ]
  const due = formatDate(last.dueDate)
  const outcome =
    last.cents > 0 ? say`${formatCents(last.cents)} due on ${due}: ${became}.` : say`Due on ${due}: ${became}.`
  return [...details, [say`Last bill`, `${outcome} ${last.reason}`.trim()]]
}

function upcomingText(next: Enrollment['next'], isPaused: boolean, skipNext: boolean): string {
  if (isPaused) return say`None while paused`
  if (skipNext) return say`Next bill will be skipped`
  if (next?.cents === 0) return say`None (no amount due)`
  if (!next) return say`With the next bill`
  return `${say`${formatCents(next.cents)} on ${formatDate(next.on)}`}${next.reason ? `. ${next.reason}` : ''}`
}

interface StepsProps {
  autopay: Enrollment
  reference: string
  mayChange: boolean
  onEdit: () => void
}

function Steps({ autopay, reference, mayChange, onEdit }: StepsProps) {
  const { t } = useLingui()
  const { act, busy, refusal } = useAct(reloadBoth)
  const { id, next, last, state, skipNext } = autopay
  const isLeftOut = skipNext || (next === null && last?.state === 'skipped')
  const skip = (shouldSkip: boolean) => void act(() => call(skipAutopay, { id, skip: shouldSkip }))
  return (
    <>
      <Refusal className="mt-3">{refusal}</Refusal>
      <div className="mt-3 flex flex-wrap gap-2 empty:hidden">
        {mayChange && (
          <Button size="small" aria-label={t`Change AutoPay for account ${reference}`} onClick={onEdit}>
            <Trans>Change AutoPay</Trans>
          </Button>
        )}
        {state === 'active' && next?.state !== 'charging' && (
          <Button size="small" busy={busy} onClick={() => skip(!isLeftOut)}>
            {isLeftOut ? <Trans>Undo skip</Trans> : <Trans>Skip next payment</Trans>}
            <span className="spoken">
              {' '}
              <Trans>Account {reference}</Trans>
            </span>
          </Button>
        )}
      </div>
      <MoveButtons
        of={autopayStates}
        can={autopay.can}
        about={t`Account ${reference}`}
        onPress={async (event) => {
          toast((await call(transitionAutopay, { id, event })).message)
          await reloadBoth()
        }}
      />
    </>
  )
}
