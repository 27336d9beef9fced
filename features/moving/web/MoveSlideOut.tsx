import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { formatDate, formatShortDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { translated } from '../../../shared/messages.ts'
import { page } from '../../../web/page.ts'
import { call } from '../../../web/call.ts'
import { CasePanel } from '../../../web/cases/CasePanel.tsx'
import { shortInstant } from '../../../web/clock.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { Checkbox, DateField } from '../../../web/ui/Choice.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { orderStates } from '../../work-orders/states.ts'
import { changeMoveDays, completeForm, completeMove, daysForm, staffMove, moveCase } from '../contract.ts'
import { enters, leaves, numberOf } from '../rules.ts'
import { moveStates } from '../states.ts'
import { reloadMoves } from './fresh.ts'
import { useKinds } from './kinds.ts'
import { Text } from '../../../web/ui/Text.tsx'
import { openWorkOrders } from '../../work-orders/rules.ts'

type Details = ResponseOf<typeof staffMove>

export function MoveSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const subject = { subjectId: id }
  const response = useResponse(staffMove, subject)
  return (
    <ResponseSlideOut
      title={<Trans>Move {numberOf(id)}</Trans>}
      loading={<Trans>Loading the move</Trans>}
      failed={<Trans>Could not load the move</Trans>}
      response={response}
      onClose={onClose}
    >
      {(data) => (
        <>
          <MoveDetails {...data} />
          <Parties points={data.points} />
          <Steps {...data} />
          <CasePanel of={moveCase} subject={subject} viewCall={staffMove} view={data} reload={reloadMoves} />
        </>
      )}
    </ResponseSlideOut>
  )
}

function MoveDetails({ move, orders, fee }: Details) {
  const { t } = useLingui()
  const kinds = useKinds()
  const { name } = move
  const ownerAnswers = {
    none: t`Not asked`,
    asked: t`Awaiting answer`,
    agreed: t`Agreed`,
    refused: t`Declined`,
  }
  const signed = move.ownerAnsweredAt && t`${move.ownerSigned}, ${shortInstant(move.ownerAnsweredAt)}`
  const lines: [string, ReactNode][] = [
    [t`Requested`, shortInstant(move.at)],
    [t`Name`, move.isGuest ? t`${name} (guest)` : t`${name} (signed in)`],
    [t`Email`, move.email],
    [t`Phone`, move.phone && formatPhone(move.phone)],
    [t`Account`, move.account],
    [t`From`, move.leaves],
    [t`Move-out date`, move.leavesOn && formatShortDate(move.leavesOn)],
    [t`To`, move.enters],
    [t`Move-in date`, move.entersOn && formatShortDate(move.entersOn)],
    [t`New address`, move.forwarding],
    [t`Final reading`, move.finalRead === null ? '' : String(move.finalRead)],
    [t`First reading`, move.firstRead === null ? '' : String(move.firstRead)],
    [
      fee?.title ?? '',
      fee
        ? fee.paidCents >= fee.amountCents
          ? t`${formatCents(fee.amountCents)}, paid`
          : t`${formatCents(fee.amountCents)}, unpaid`
        : '',
    ],
    [t`Work orders`, orders.length > 0 ? <Orders key="orders" orders={orders} /> : ''],
    [t`Owner`, [move.ownerName, move.ownerEmail].filter(Boolean).join(', ')],
    [t`Owner's answer`, move.ownerAnswer === 'none' ? '' : ownerAnswers[move.ownerAnswer]],
    [t`Signed by`, signed],
    [t`Note`, move.note],
  ]
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="font-bold">{kinds[move.kind as 1 | 2 | 3].label}</p>
        <StateBadge of={moveStates} state={move.status} />
      </div>
      <DetailList className="text-table" details={lines.filter(([, value]) => value !== '' && value !== null)} />
    </>
  )
}

/** Work orders for the meter readings. */
const Orders = ({ orders }: Pick<Details, 'orders'>) => (
  <ul>
    {orders.map(({ id, number, status }) => (
      <li key={id}>
        <Link className="link" to={`/municipality/work-orders?order=${id}`}>
          {number}
        </Link>{' '}
        (<Text>{translated(orderStates.labels[status])}</Text>)
      </li>
    ))}
  </ul>
)

/** Responsible parties at each address of the move, earliest first. */
function Parties({ points }: Pick<Details, 'points'>) {
  const { t } = useLingui()
  const named = ({ party, name }: Details['points'][number]['parties'][number]) =>
    party === 'company' ? t`Municipality (vacant property)` : party === 'owner' ? t`${name} (owner)` : name
  return points.map(({ premise, parties }) => (
    <section key={premise} className="mt-5">
      <h3 className="mb-1 text-base">
        <Trans>Responsible parties for {premise}</Trans>
      </h3>
      <ol className="flex flex-col gap-1 text-table">
        {parties.map((one) => (
          <li key={one.from ?? ''}>
            {one.from ? (
              <Trans>From {formatShortDate(one.from)}:</Trans>
            ) : one.until ? (
              <Trans>Before {formatShortDate(one.until)}:</Trans>
            ) : (
              <Trans>At all times:</Trans>
            )}{' '}
            <Text>{named(one)}</Text>
          </li>
        ))}
      </ol>
    </section>
  ))
}

function Steps({ move, can, lastRead, orders, autopay }: Details) {
  const [openDialog, setOpenDialog] = useState<'complete' | 'days' | null>(null)
  const close = () => setOpenDialog(null)
  return (
    <div className="mt-5 flex flex-wrap gap-2 empty:hidden">
      {can.complete && (
        <Button variant="primary" size="small" onClick={() => setOpenDialog('complete')}>
          <Trans>Complete</Trans>
        </Button>
      )}
      {can.changeDays && (
        <Button size="small" onClick={() => setOpenDialog('days')}>
          <Trans>Change dates</Trans>
        </Button>
      )}
      {openDialog === 'complete' && (
        <Complete move={move} lastRead={lastRead} orders={orders} autopay={autopay} onClose={close} />
      )}
      {openDialog === 'days' && <Days move={move} onClose={close} />}
    </div>
  )
}

interface DialogProps {
  move: Details['move']
  onClose: () => void
}

const OPEN: readonly number[] = openWorkOrders

function Complete({
  move,
  lastRead,
  orders,
  autopay,
  onClose,
}: DialogProps & Pick<Details, 'lastRead' | 'orders' | 'autopay'>) {
  const { t } = useLingui()
  const form = useZodForm(completeForm, { defaultValues: { finalRead: '', firstRead: '', isBelow: false } })
  const typed = Number(form.watch('finalRead'))
  const isBelow = lastRead !== null && form.watch('finalRead') !== '' && typed < lastRead.reading
  const open = orders.filter(({ status }) => OPEN.includes(status))
  const comes = [move.leavesOn, move.entersOn].filter((day) => day > page().today)
  return (
    <FormDialog
      title={<Trans>Complete move {move.number}?</Trans>}
      form={form}
      submit={<Trans>Complete</Trans>}
      onClose={onClose}
      onSubmit={async (values) => {
        toast((await call(completeMove, { subjectId: move.id, ...values })).message)
        await reloadMoves()
      }}
    >
      <p>
        <Trans>Responsibility for the addresses will change on the move dates. We will email the requester.</Trans>
      </p>
      {move.ownerAnswer === 'asked' && (
        <Notice tone="warning">
          <Trans>The owner, {move.ownerName}, has not answered yet.</Trans>
        </Notice>
      )}
      {comes.map((day) => (
        <Notice key={day} tone="warning">
          <Trans>
            {formatDate(day)} is in the future. Complete the move after that day, unless you are sure of the date.
          </Trans>
        </Notice>
      ))}
      {open.length > 0 && (
        <p>
          <Trans>
            Work orders still open for meter readings: {open.map(({ number }) => number).join(', ')}. The portal
            completes a work order after you enter its reading.
          </Trans>
        </p>
      )}
      {autopay && <p>{autopay}</p>}
      {leaves(move.kind) && (
        <TextField
          label={t`Final reading`}
          inputMode="decimal"
          optional
          autoComplete="off"
          hint={lastRead ? t`Last reading: ${lastRead.reading} on ${formatDate(lastRead.on)}.` : undefined}
          {...form.field('finalRead')}
        />
      )}
      {isBelow && (
        <Checkbox
          label={t`This reading is correct, although it is lower than the last one`}
          hint={t`For example, the meter was replaced or rolled over to zero.`}
          {...form.field('isBelow')}
        />
      )}
      {enters(move.kind) && (
        <TextField
          label={t`First reading`}
          inputMode="decimal"
          optional
          autoComplete="off"
          {...form.field('firstRead')}
        />
      )}
    </FormDialog>
  )
}

function Days({ move, onClose }: DialogProps) {
  const { t } = useLingui()
  const savedDays = { leavesOn: move.leavesOn, entersOn: move.entersOn }
  const form = useZodForm(daysForm, { defaultValues: savedDays, basis: savedDays })
  return (
    <FormDialog
      title={<Trans>Change the dates for move {move.number}</Trans>}
      form={form}
      onClose={onClose}
      onSubmit={async (values) => {
        toast((await call(changeMoveDays, { subjectId: move.id, ...values, basis: form.basis })).message)
        await reloadMoves()
      }}
    >
      {leaves(move.kind) && <DateField label={t`Move-out date`} {...form.field('leavesOn')} />}
      {enters(move.kind) && <DateField label={t`Move-in date`} {...form.field('entersOn')} />}
    </FormDialog>
  )
}
