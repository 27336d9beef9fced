import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { formatDate } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { page } from '../../../../web/page.ts'
import { useCartFromUrl } from '../../../../web/cart.ts'
import { call, messageOf } from '../../../../web/call.ts'
import { longInstant } from '../../../../web/clock.ts'
import { download } from '../../../../web/download.ts'
import { go } from '../../../../web/go.ts'
import { BulletText } from '../../../../web/ui/BulletText.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { Amounts, DetailList, Perforation } from '../../../../web/ui/Card.tsx'
import { Notice, Refusal } from '../../../../web/ui/Notice.tsx'
import { StateBadge, StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { type ticketResult, payTicket, seePhoto, type TicketQuery } from '../../contract.ts'
import { ticketStates } from '../../states.ts'
import { addToOpenCart } from '../../../checkout/web/parts/follow-cart.ts'
import { Tried } from '../../../outages/web/parts/OutageAttempt.tsx'
import { ContestForm } from './ContestForm.tsx'
import { Code, Text } from '../../../../web/ui/Text.tsx'

type TicketResult = z.output<typeof ticketResult>

interface TicketCardProps {
  ticket: TicketResult
  alternatives: string
  query: TicketQuery
  onContested: (message: string) => Promise<void>
}

/** Ticket for the person who found it: violation, amount and actions. */
export function TicketCard({ ticket, alternatives, query, onContested }: TicketCardProps) {
  const [contesting, setContesting] = useState(false)
  const { citation, status, can } = ticket
  return (
    <article aria-label={citation} className="rounded-sm border border-line bg-surface py-6">
      <div className="px-5 md:px-7">
        <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
          <h3 className="text-h3 wrap-anywhere" translate="no">
            {citation}
          </h3>
          <StateBadge of={ticketStates} state={status} />
        </div>
        <WhatHappened ticket={ticket} />
        <Photos ticket={ticket} query={query} />
      </div>
      <Perforation />
      <div className="px-5 md:px-7">
        <Costs ticket={ticket} />
        <TicketStatus ticket={ticket} />
        {(can.pay || can.contest || can.contestWithPlate) && (
          <NextActions
            ticket={ticket}
            alternatives={alternatives}
            contesting={contesting}
            onContest={() => setContesting(!contesting)}
          />
        )}
        {contesting && can.contest && (
          <ContestForm citation={citation} plate={query.plate} plateState={query.plateState} onSent={onContested} />
        )}
      </div>
    </article>
  )
}

function WhatHappened({ ticket: { violation, plate, location, issuedAt, status, dueOn } }: { ticket: TicketResult }) {
  const { t } = useLingui()
  const late = status === 'open' && dueOn < page().today
  return (
    <DetailList
      details={[
        [t`Violation`, violation],
        [t`Plate`, <Code key="plate">{plate}</Code>],
        [t`Issued`, longInstant(issuedAt)],
        ...(location ? [[t`Location`, location] as const] : []),
        ...(status === 'open'
          ? [
              [
                t`Due`,
                <span key="due" className="flex flex-wrap items-center gap-x-3 font-bold">
                  <Text>{formatDate(dueOn)}</Text>
                  {late && (
                    <StatusBadge kind="bad">
                      <Trans>Past due</Trans>
                    </StatusBadge>
                  )}
                </span>,
              ] as const,
            ]
          : []),
      ]}
    />
  )
}

function Photos({
  ticket: { citation, photos },
  query: { plate, plateState },
}: {
  ticket: TicketResult
  query: TicketQuery
}) {
  const { t } = useLingui()
  const [refusal, setRefusal] = useState('')
  if (photos.length === 0) return null
  const see = (photoId: string) =>
    download(seePhoto, { citation, plate, plateState, photoId }).catch((error: unknown) => setRefusal(messageOf(error)))
  return (
    <div className="mt-4">
      <Refusal>{refusal}</Refusal>
      <ul className="flex flex-wrap gap-3">
        {photos.map(({ id, preview }, n) => (
          <li key={id}>
            {preview && (
              <button
                type="button"
                className="rounded-sm border border-edge bg-surface p-1"
                aria-label={t`Save photo ${n + 1} of ticket ${citation}`}
                onClick={() => void see(id)}
              >
                <img src={preview} alt="" className="h-28 w-36 object-contain" />
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Costs({ ticket: { fineCents, lateCents, paidCents, pendingCents, owedCents } }: { ticket: TicketResult }) {
  const { t } = useLingui()
  const more = [
    { id: 'late', label: t`Late fees`, cents: lateCents },
    { id: 'paid', label: t`Paid`, cents: -paidCents },
    { id: 'way', label: t`Pending payments`, cents: -pendingCents },
  ].filter(({ cents }) => cents !== 0)
  return (
    <Amounts
      lines={[
        { id: 'fine', label: t`Fine`, amount: formatCents(fineCents) },
        ...more.map(({ id, label, cents }) => ({ id, label, amount: formatCents(cents) })),
      ]}
      total={{ label: t`Amount due`, amount: formatCents(Math.max(0, owedCents - pendingCents)) }}
    />
  )
}

/** Explains why the ticket cannot be paid, and states the next step. */
function TicketStatus({ ticket }: { ticket: TicketResult }) {
  const { status, nextStep, contestUntil, hearingAt, hearingLocation, pendingCents, tried } = ticket
  const fee = formatCents(nextStep?.feeCents ?? 0)
  const hearing = hearingAt ? longInstant(hearingAt) : ''
  return (
    <div className="mt-4 flex flex-col gap-2 empty:hidden">
      {pendingCents > 0 && (
        <p>
          <Trans>A payment is pending. It will appear here when it is complete.</Trans>
        </p>
      )}
      {status === 'contested' && (
        <p>
          <Trans>This ticket is contested. No payment is due and no late fees will be added until we decide.</Trans>
        </p>
      )}
      {hearing && (
        <p>
          <Trans>
            The hearing is on <strong>{hearing}</strong> at {hearingLocation}.
          </Trans>
        </p>
      )}
      {status === 'paid' && (
        <p>
          <Trans>This ticket is paid. Thank you.</Trans>
        </p>
      )}
      {status === 'void' && (
        <p>
          <Trans>This ticket is void. No payment is due.</Trans>
        </p>
      )}
      {status === 'warning' && (
        <p>
          <Trans>This is a warning. No payment is due.</Trans>
        </p>
      )}
      {contestUntil && (
        <p>
          {contestUntil >= page().today ? (
            <Trans>
              You can contest this ticket until <strong>{formatDate(contestUntil)}</strong>.
            </Trans>
          ) : (
            <Trans>
              The deadline to contest this ticket was {formatDate(contestUntil)}. If something prevented you from
              contesting it in time, please call the office.
            </Trans>
          )}
        </p>
      )}
      {tried && (
        <p className="text-sm">
          <Tried of={tried} />
        </p>
      )}
      {nextStep && nextStep.feeCents > 0 && (
        <p className="text-muted text-sm">
          <Trans>
            If the ticket is not paid before {formatDate(nextStep.on)}, a late fee of {fee} will be added.
          </Trans>
        </p>
      )}
    </div>
  )
}

interface TicketActionsProps {
  ticket: TicketResult
  alternatives: string
  contesting: boolean
  onContest: () => void
}

/** Payment button, with the legal alternatives to paying in the company's words. */
function NextActions({ ticket, alternatives, contesting, onContest }: TicketActionsProps) {
  const { citation, can, owedCents, pendingCents } = ticket
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const [isAdding, setAdding] = useState(false)
  const { t } = useLingui()
  const named = useCartFromUrl()
  const amount = formatCents(owedCents - pendingCents)
  const mayContest = can.contest || can.contestWithPlate
  const add = async () => {
    setAdding(true)
    setRefusal('')
    try {
      await addToOpenCart((into) => call(payTicket, { citation, ...into }))
      toast(t`Ticket ${citation} is in your cart.`)
    } catch (error) {
      setRefusal(messageOf(error))
    }
    setAdding(false)
  }
  const pay = async (cart: string | null) => {
    setBusy(true)
    setRefusal('')
    try {
      const { token } = await call(payTicket, { citation, ...(cart !== null && { cart }) })
      go(`/guest/payment/${token}`)
    } catch (error) {
      setRefusal(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <div className="mt-5 grid gap-5 md:grid-cols-[auto_1fr] md:items-start">
      <div className="flex flex-col gap-3">
        <Refusal>{refusal}</Refusal>
        {can.pay && (
          <Button
            variant="primary"
            busy={busy}
            busyLabel={<Trans>Opening the payment page…</Trans>}
            onClick={() => void pay(named)}
          >
            {named === null ? <Trans>Pay {amount}</Trans> : <Trans>Add ticket to payment</Trans>}
          </Button>
        )}
        {can.pay && named === null && (
          <Button disabled={busy} busy={isAdding} busyLabel={<Trans>Adding to cart…</Trans>} onClick={() => void add()}>
            <Trans>Add to cart</Trans>
          </Button>
        )}
        {can.contest && (
          <Button aria-expanded={contesting} onClick={onContest}>
            <Trans>Contest this ticket</Trans>
          </Button>
        )}
        {can.contestWithPlate && (
          <p className="max-w-56 text-muted text-sm">
            <Trans>To contest the ticket or see its photos, search again with the citation number and the plate.</Trans>
          </p>
        )}
      </div>
      {(alternatives || mayContest) && (
        <Notice title={<Trans>Alternatives to payment</Trans>}>
          {/* The municipality's text appears even if this ticket can no longer be contested. */}
          {mayContest && ticket.contestUntil && (
            <p className="mb-2">
              <Trans>You can contest this ticket until {formatDate(ticket.contestUntil)}.</Trans>
            </p>
          )}
          <BulletText>{alternatives}</BulletText>
        </Notice>
      )}
    </div>
  )
}
