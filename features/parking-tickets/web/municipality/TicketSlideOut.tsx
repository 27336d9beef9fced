import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { formatShortDate } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { call } from '../../../../web/call.ts'
import { CasePanel } from '../../../../web/cases/CasePanel.tsx'
import { shortInstant } from '../../../../web/clock.ts'
import { setQuery } from '../../../../web/go.ts'
import { useResponse } from '../../../../web/query.ts'
import { idIn } from '../../../../web/id-in.ts'
import { useQueryParam } from '../../../../web/routes.tsx'
import { ResponseSlideOut } from '../../../../web/ui/ResponseView.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { DetailList } from '../../../../web/ui/Card.tsx'
import { MoveButtons } from '../../../../web/ui/MoveButtons.tsx'
import { StateBadge } from '../../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { Tried } from '../../../outages/web/parts/OutageAttempt.tsx'
import { changeTicketStatus, contestCase, returnContest, returnTicket } from '../../contract.ts'
import { ticketStates } from '../../states.ts'
import type { TicketDetails } from './details.ts'
import { EditTicket } from './EditTicket.tsx'
import { EnterContest } from './EnterContest.tsx'
import { reloadTickets } from './fresh.ts'
import { Hearing } from './Hearing.tsx'
import { MoreTime } from './MoreTime.tsx'
import { TicketPhotos } from './TicketPhotos.tsx'
import { History } from '../../../../web/ui/office/History.tsx'
import { MessagesView } from '../../../../web/cases/MessagesView.tsx'
import { Code, Text } from '../../../../web/ui/Text.tsx'

/** Slide-out of the ticket in the URL, by the id of the ticket or of its contest. */
export function TicketFromQuery() {
  const ticketId = idIn(useQueryParam('ticket'))
  const contestId = idIn(useQueryParam('contest'))
  const ticketQuery = ticketId !== null ? { ticketId } : contestId !== null ? { contestId } : null
  if (!ticketQuery) return null
  return (
    <TicketSlideOut
      key={JSON.stringify(ticketQuery)}
      ticketRef={ticketQuery}
      onClose={() => setQuery({ ticket: null, contest: null })}
    />
  )
}

type TicketRef = { ticketId?: number | undefined; contestId?: number | undefined }

/** Slide-out of a ticket, with details, amounts, history and contest. */
function TicketSlideOut({ ticketRef, onClose }: { ticketRef: TicketRef; onClose: () => void }) {
  const response = useResponse(returnTicket, ticketRef)
  const [panel, setPanel] = useState<'edit' | 'contest' | null>(null)
  const { data } = response
  const back = () => setPanel(null)
  if (panel === 'edit' && data?.can.edit) return <EditTicket ticket={data} onClose={back} />
  if (panel === 'contest' && data?.can.contest) return <EnterContest ticket={data} onClose={back} />
  return (
    <ResponseSlideOut
      title={data ? <Trans>Ticket {data.citation}</Trans> : <Trans>Ticket</Trans>}
      onClose={onClose}
      response={response}
      loading={<Trans>Loading the ticket</Trans>}
      failed={<Trans>This ticket could not be loaded</Trans>}
    >
      {(ticket) => (
        <>
          <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
            <p className="font-bold">
              <Code>{ticket.violationCode}</Code> <Text>{ticket.violationText}</Text>
            </p>
            <StateBadge of={ticketStates} state={ticket.status} />
          </div>
          <Written ticket={ticket} />
          <Steps ticket={ticket} onEdit={() => setPanel('edit')} onContest={() => setPanel('contest')} />
          {ticket.can.hear && <Hearing ticket={ticket} />}
          <TicketPhotos ticket={ticket} />
          <Done ticket={ticket} />
          {ticket.contest && <Contest contest={ticket.contest} />}
        </>
      )}
    </ResponseSlideOut>
  )
}

function Written({ ticket }: { ticket: TicketDetails }) {
  const { t } = useLingui()
  const { details: ticketDetails, contest, nextStep } = ticket
  const details: [string, ReactNode][] = [
    [t`Plate`, `${ticketDetails.plateState} ${ticketDetails.plate}`],
    [t`Vehicle`, ticketDetails.vehicle || '–'],
    [t`Issued`, shortInstant(ticket.issuedAt)],
    [t`Location`, ticketDetails.location.text || '–'],
    [t`Officer`, ticketDetails.officer || '–'],
    [t`Fine`, formatCents(ticket.fineCents)],
    ...(ticket.lateCents > 0 ? [[t`Late fees`, formatCents(ticket.lateCents)] as [string, string]] : []),
    ...(ticket.paidCents !== 0 ? [[t`Paid`, formatCents(ticket.paidCents)] as [string, string]] : []),
    ...(ticket.pendingCents > 0 ? [[t`Pending payments`, formatCents(ticket.pendingCents)] as [string, string]] : []),
    [t`Unpaid`, formatCents(ticket.unpaidCents)],
    ...(ticket.status === 'open' ? [[t`Due`, formatShortDate(ticket.dueOn)] as [string, string]] : []),
    ...(nextStep
      ? [[t`Next late step`, t`${formatShortDate(nextStep.on)}, ${formatCents(nextStep.feeCents)}`] as [string, string]]
      : []),
    ...(ticket.tried ? [[t`Outage`, <Tried key="tried" of={ticket.tried} />] as [string, ReactNode]] : []),
    ...(ticketDetails.email ? [[t`Email`, ticketDetails.email] as [string, string]] : []),
    ...(ticketDetails.notes ? [[t`Notes`, ticketDetails.notes] as [string, string]] : []),
    ...(ticket.contestUntil ? [[t`Contest deadline`, formatShortDate(ticket.contestUntil)] as [string, string]] : []),
    ...(contest
      ? [
          [
            t`Contested by`,
            [contest.name, contest.email, formatPhone(contest.phone), contest.address].filter(Boolean).join(', '),
          ] as [string, string],
        ]
      : []),
    ...(contest?.receivedOn
      ? [[t`Contest request received`, formatShortDate(contest.receivedOn)] as [string, string]]
      : []),
    ...(contest?.hearingAt
      ? [[t`Hearing`, `${shortInstant(contest.hearingAt)}, ${contest.hearingLocation}`] as [string, string]]
      : []),
  ]
  return <DetailList className="text-table" details={details} />
}

interface StepsProps {
  ticket: TicketDetails
  onEdit: () => void
  onContest: () => void
}

/** Actions for the ticket, including the correction of its details. */
function Steps({ ticket, onEdit, onContest }: StepsProps) {
  const { t } = useLingui()
  return (
    <>
      <div className="mt-5 flex flex-wrap gap-2 empty:hidden">
        {ticket.can.edit && (
          <Button size="small" onClick={onEdit}>
            <Trans>Correct ticket</Trans>
          </Button>
        )}
        {ticket.can.contest && (
          <Button size="small" onClick={onContest}>
            <Trans>Enter contest request</Trans>
          </Button>
        )}
        {ticket.can.extendContest && <MoreTime ticket={ticket} />}
      </div>
      <MoveButtons
        of={ticketStates}
        can={ticket.can.steps}
        dialog={{
          text: (event) =>
            event === 'void' ? (
              <Trans>The driver will owe nothing. You cannot undo a void.</Trans>
            ) : ticket.contest?.email === '' ? (
              <Trans>
                The person who contested the ticket did not provide an email. Notify them of your decision and reason in
                writing or by phone.
              </Trans>
            ) : (
              <Trans>Your reason will be emailed to the person who contested the ticket.</Trans>
            ),
          hint:
            ticket.status === 'contested'
              ? t`The person who contested the ticket can read this reason.`
              : t`Staff can read the reason.`,
          draft: `parking-ticket:${ticket.id}`,
        }}
        onPress={async (event, reason) => {
          toast((await call(changeTicketStatus, { ticketId: ticket.id, event, reason })).message)
          await reloadTickets()
        }}
      />
    </>
  )
}

/** Transitions and payments, oldest first. */
function Done({ ticket: { history, payments } }: { ticket: TicketDetails }) {
  if (history.length === 0 && payments.length === 0) return null
  return (
    <History history={history}>
      {payments.map(({ number, at, cents, refundCents }) => (
        <li key={number}>
          <Trans>
            Payment {number}: {formatCents(cents)}
          </Trans>
          {refundCents > 0 && (
            <>
              {', '}
              <Trans>{formatCents(refundCents)} refunded</Trans>
            </>
          )}
          {' · '}
          <Text>{shortInstant(at)}</Text>
        </li>
      ))}
    </History>
  )
}

/** Case of the contest. */
function Contest({ contest }: { contest: NonNullable<TicketDetails['contest']> }) {
  const subject = { subjectId: contest.id }
  const response = useResponse(returnContest, subject)
  return (
    <section className="mt-7 border-line border-t pt-5">
      <h3 className="mb-2 text-lg">
        <Trans>Contest request {contest.number}</Trans>
      </h3>
      <MessagesView response={response}>
        {(view) => (
          <CasePanel of={contestCase} subject={subject} viewCall={returnContest} view={view} reload={reloadTickets} />
        )}
      </MessagesView>
    </section>
  )
}
