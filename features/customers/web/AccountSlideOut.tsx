import { Trans, useLingui } from '@lingui/react/macro'
import { Mail, Mailbox, Printer } from 'lucide-react'
import { useState } from 'react'
import { formatDate, formatShortDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { call, messageOf } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { useLive } from '../../../web/live.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { may } from '../../../web/session.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { UnprintableNotice } from '../../../web/ui/office/UnprintableNotice.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { arrangementOf } from '../../arrangements/contract.ts'
import { arrangementStates } from '../../arrangements/states.ts'
import { Tried } from '../../outages/web/parts/OutageAttempt.tsx'
import { linkCodeEvents, printCustomerBill, printLinkMailings } from '../../utility-portal/contract.ts'
import { customerAccount, paymentLinkForm, sendPaymentLink } from '../contract.ts'
import { Rows } from './Rows.tsx'
import { Text } from '../../../web/ui/Text.tsx'

type Account = ResponseOf<typeof customerAccount>

/** One utility account for staff who help its customer: amount due, bills, payments and payment options. */
export function AccountSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const response = useResponse(customerAccount, { accountId: id })
  const number = response.data?.number
  return (
    <ResponseSlideOut
      title={number ? <Trans>Account {number}</Trans> : <Trans>Loading</Trans>}
      onClose={onClose}
      response={response}
      loading={<Trans>Loading the account</Trans>}
      failed={<Trans>Could not load this account</Trans>}
    >
      {(account) => <Everything id={id} account={account} />}
    </ResponseSlideOut>
  )
}

function Everything({ id, account }: { id: number; account: Account }) {
  const { t } = useLingui()
  const [sending, setSending] = useState(false)
  const { owedCents, pendingCents } = account
  return (
    <>
      <p className="font-bold font-display text-tile-wide tabular-nums">
        {owedCents < 0 ? (
          <Trans>Credit of {formatCents(-owedCents)}</Trans>
        ) : (
          <Trans>{formatCents(owedCents)} owed</Trans>
        )}
      </p>
      {pendingCents > 0 && (
        <p>
          <Trans>Payments totaling {formatCents(pendingCents)} are pending.</Trans>
        </p>
      )}
      {account.shutoff && <ShutOff of={account.shutoff} />}
      {account.tried && (
        <Notice className="mt-4">
          <Tried of={account.tried} />
        </Notice>
      )}
      <div className="mt-4 empty:hidden">
        <UnprintableNotice texts={[account.name, account.address]} />
      </div>
      <DetailList
        className="mt-4 text-table"
        details={[
          [t`Name`, account.name],
          [t`Service Address`, account.address],
          [t`Phone`, formatPhone(account.phone) || '–'],
          [t`Email`, account.email || '–'],
          [t`Linked by`, account.linkedBy.join(', ') || '–'],
          [t`AutoPay`, account.autopay || t`Off`],
        ]}
      />
      {may('payments', 'view') && <Installments id={id} />}
      <div className="mt-5 flex flex-wrap items-center gap-3">
        {may('counter', 'create') && (
          <Link className="link" to={`/municipality/manage/counter?find=${encodeURIComponent(account.number)}`}>
            <Trans>Take a payment at the counter</Trans>
          </Link>
        )}
        {account.can.sendLink && (
          <Button icon={Mail} onClick={() => setSending(true)}>
            <Trans>Send payment link</Trans>
          </Button>
        )}
        {account.can.sendLink && <PrintActions id={id} hasBill={account.bills.length > 0} />}
      </div>
      {account.linkCode && <LinkCode of={account.linkCode} />}
      <AccountRows account={account} />
      {sending && <SendLink id={id} email={account.email} onClose={() => setSending(false)} />}
    </>
  )
}

/** Payments, adjustments and bills of the account. */
const AccountRows = ({ account }: { account: Account }) => (
  <>
    <Rows
      title={<Trans>Payments</Trans>}
      none={<Trans>No payments through the portal or at the office yet.</Trans>}
      rows={account.payments.map(({ number, at, state, amountCents, refundCents }) => ({
        id: number,
        what: (
          <>
            <Text>
              {may('payments', 'view') ? (
                <Link className="link" to={`/municipality/reports/payments?payment=${number.slice(1)}`}>
                  {number}
                </Link>
              ) : (
                number
              )}
            </Text>{' '}
            <Text>·</Text> <Text>{shortInstant(at)}</Text>
            {state === 'pending' && <Trans> · pending</Trans>}
            {refundCents > 0 && <Trans> · {formatCents(refundCents)} refunded</Trans>}
          </>
        ),
        amount: formatCents(amountCents),
      }))}
    />
    {account.adjustments.length > 0 && (
      <Rows
        title={<Trans>Adjustments between bills</Trans>}
        none=""
        rows={account.adjustments.map(({ number, date, amountCents, reason }) => ({
          id: number,
          what: `${number} · ${formatShortDate(date)} · ${reason}`,
          amount: formatCents(amountCents),
        }))}
      />
    )}
    <Rows
      title={<Trans>Bills</Trans>}
      none={<Trans>This account has no bills yet.</Trans>}
      rows={account.bills.map(({ number, date, dueDate, amountCents }) => ({
        id: number,
        what: (
          <Trans>
            {number} · {formatShortDate(date)}, due {formatShortDate(dueDate)}
          </Trans>
        ),
        amount: formatCents(amountCents),
      }))}
    />
  </>
)

/** Printouts for a customer: the newest bill with a payment link, and a letter for linking the account. */
function PrintActions({ id, hasBill }: { id: number; hasBill: boolean }) {
  const print = (job: Promise<void>) => void job.catch((error: unknown) => toast(messageOf(error), 'danger'))
  // Reloads the account when its link code changes. The server creates the code only when it renders the letter, and
  // the customer may use the code at any time.
  const refresh = () => void reload(customerAccount)
  useLive(linkCodeEvents, (event) => event.id === id && refresh(), refresh)
  return (
    <>
      <Button icon={Mailbox} onClick={() => print(download(printLinkMailings, { accountIds: [id] }))}>
        <Trans>Print link code letter</Trans>
      </Button>
      {hasBill && (
        <>
          <Button icon={Printer} onClick={() => print(download(printCustomerBill, { accountId: id, withCode: false }))}>
            <Trans>Print latest bill</Trans>
          </Button>
          <Button icon={Printer} onClick={() => print(download(printCustomerBill, { accountId: id, withCode: true }))}>
            <Trans>Print bill with link code</Trans>
          </Button>
        </>
      )}
    </>
  )
}

function LinkCode({ of: { madeAt, madeBy, expiresAt, usedAt } }: { of: NonNullable<Account['linkCode']> }) {
  const [made, until] = [shortInstant(madeAt), shortInstant(expiresAt)]
  return (
    <p className="mt-3 text-muted text-sm">
      <Trans>
        Link code created {made} by {madeBy}:
      </Trans>{' '}
      {usedAt ? <Trans>used on {shortInstant(usedAt)}.</Trans> : <Trans>not used yet, valid until {until}.</Trans>}
    </p>
  )
}

function ShutOff({ of: { state, on, reason } }: { of: NonNullable<Account['shutoff']> }) {
  const day = formatDate(on)
  return (
    <Notice
      tone="warning"
      className="mt-4"
      title={state === 'scheduled' ? <Trans>Shutoff scheduled for {day}</Trans> : <Trans>Shut off on {day}</Trans>}
    >
      {reason || <Trans>The customer sees this notice too. The billing system reports when the shutoff ends.</Trans>}
    </Notice>
  )
}

/** Open payment arrangement of the account, or a button to propose one. */
function Installments({ id }: { id: number }) {
  const { data } = useResponse(arrangementOf, { kind: 'utility', itemId: id })
  if (!data) return null
  const { plan, can } = data
  if (!plan)
    return can.propose ? (
      <p className="mt-4">
        <Link className="link" to={`/municipality/reports/arrangements?propose=utility-${id}`}>
          <Trans>Propose a payment arrangement</Trans>
        </Link>
      </p>
    ) : null
  return (
    <p className="mt-4 flex flex-wrap items-center gap-3">
      <StateBadge of={arrangementStates} state={plan.state} />
      <span className="tabular-nums">
        <Link className="link" to={`/municipality/reports/arrangements?plan=${plan.id}`}>
          <Trans>Payment arrangement</Trans>
        </Link>{' '}
        {plan.next && (
          <Trans>
            · next installment {formatCents(plan.next.openCents)} on {formatShortDate(plan.next.dueOn)}
          </Trans>
        )}
      </span>
    </p>
  )
}

function SendLink({ id, email, onClose }: { id: number; email: string; onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(paymentLinkForm, { defaultValues: { email } })
  return (
    <FormDialog
      title={t`Send payment link`}
      form={form}
      submit={<Trans>Send</Trans>}
      busyLabel={<Trans>Sending...</Trans>}
      onSubmit={async (request) => toast((await call(sendPaymentLink, { accountId: id, ...request })).message)}
      onClose={onClose}
    >
      <p>
        <Trans>For 30 days, anyone with this link can see the amount due on this account and pay it.</Trans>
      </p>
      <TextField label={t`Email`} type="email" autoComplete="off" {...form.field('email')} />
    </FormDialog>
  )
}
