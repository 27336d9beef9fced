import { Trans, useLingui } from '@lingui/react/macro'
import { Printer, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatShortDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/words.ts'
import { call, CallError, messageOf } from '../../../web/call.ts'
import { type PayableMatch, Owed } from '../../../web/office/FindToPay.tsx'
import { download } from '../../../web/download.ts'
import { setQuery } from '../../../web/go.ts'
import { dropDraft, readDraft, writeDraft } from '../../../web/drafts.ts'
import { reload, useAnswer } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { BookkeeperTotal, Panel } from '../../../web/ui/Card.tsx'
import { Checkbox, RadioCards } from '../../../web/ui/Choice.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormRefused, useZodForm } from '../../../web/ui/form.ts'
import { arriveAt } from '../../../web/ui/step-heading.ts'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { arrangementOf } from '../../arrangements/contract.ts'
import { paymentReceipt } from '../../payment-report/contract.ts'
import { methodLabels, methods, officeMethods, type OfficeMethod } from '../../payments/rules.ts'
import { cardReaders, findPayables, takePayment, tenderForm } from '../contract.ts'
import { beyondOwed, changeOf, needsNumber, NUMBER_MISSING, refuseAmounts } from '../rules.ts'
import { CardTender, type CardState, CardWaits } from './CardTender.tsx'
import { FindPayable } from './FindPayable.tsx'

type TakePaymentResponse = ResponseOf<typeof takePayment>

interface Props {
  drawerId: number
  /** Payment of this drawer that a card reader waits for. */
  pending: number | null
  /** True if staff just opened the drawer. The search then gets the focus. */
  arrives: boolean
  onTaken: () => void
}

interface Line extends PayableMatch {
  amountCents: number | null
  confirmedCents?: number | null
}

const MANUAL_METHODS = [officeMethods.cash, officeMethods.check, officeMethods.moneyOrder] as const
type PaperTender = (typeof MANUAL_METHODS)[number]
type TenderMethod = PaperTender | typeof methods.card | typeof methods.echeck
const isManual = (by: TenderMethod): by is PaperTender => MANUAL_METHODS.some((one) => one === by)
const isCash = (method: OfficeMethod) => method === officeMethods.cash

/** One payment at the counter: items, tender and change. */
export function TakePayment({ drawerId, pending, arrives, onTaken }: Props) {
  const { t } = useLingui()
  const search = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (arrives) arriveAt(search.current)
  }, [arrives])
  /** The draft survives a reload. Each drawer has a separate draft, because it serves another customer. */
  const draft = `counter-${drawerId}`
  const [lines, setLines] = useState<readonly Line[]>(() => readDraft(draft) ?? [])
  useEffect(() => (lines.length > 0 ? writeDraft(draft, lines) : dropDraft(draft)), [draft, lines])
  const [finishedPayment, setFinishedPayment] = useState<TakePaymentResponse | null>(null)
  const [customers, setCustomers] = useState(0)
  const [by, setBy] = useState<TenderMethod>(officeMethods.cash)
  /** Pending reader payment, started here or before a reload. */
  const [card, setCard] = useState<CardState | null>(null)
  const { data: provided } = useAnswer(cardReaders, {})
  const waitsFor = card?.paymentId ?? pending
  const totalCents = lines.reduce((sum, { amountCents }) => sum + (amountCents ?? 0), 0)
  const change = (at: number, changed: Partial<Line>) =>
    setLines(lines.map((line, n) => (n === at ? { ...line, ...changed } : line)))
  /** Another clerk took a payment, so the amount due of a line has changed. */
  const onStale = (error: unknown): never => {
    if (error instanceof CallError && error.code === 'seen_otherwise') void findAgain()
    throw error
  }
  const findAgain = async () => {
    const fresh = await Promise.all(lines.map(({ reference }) => call(findPayables, { search: reference })))
    const now = fresh.flatMap(({ found }) => found)
    setLines(lines.map((line) => ({ ...line, ...now.find(({ kind, id }) => kind === line.kind && id === line.id) })))
  }
  const options: { value: TenderMethod; label: string }[] = [
    ...MANUAL_METHODS.map((value) => ({ value, label: translated(methodLabels[value]) })),
    ...(provided?.cards ? [{ value: methods.card, label: t`Card` }] : []),
    ...(provided?.checks ? [{ value: methods.echeck, label: t`Check as eCheck` }] : []),
  ]
  const done = (answer: TakePaymentResponse) => {
    // The items found are paid. The next customer starts with an empty search.
    setQuery({ find: null })
    setCustomers((before) => before + 1)
    setFinishedPayment(answer)
    setLines([])
    setBy(officeMethods.cash)
    void reload(findPayables)
    onTaken()
  }
  if (waitsFor !== null)
    return (
      <Panel id="card-payment" title={<Trans>This payment</Trans>}>
        <CardWaits
          paymentId={waitsFor}
          initial={card}
          readers={provided?.readers ?? []}
          onOver={(over) => {
            setCard(null)
            if (over.state === 'paid' || over.state === 'processing') done({ ...over, success: true, changeCents: 0 })
            else {
              toast(over.message, 'danger')
              onTaken()
            }
          }}
        />
      </Panel>
    )
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Panel id="find-payable" title={<Trans>What is paid</Trans>}>
        <FindPayable
          key={customers}
          chosen={lines}
          onChoose={(found) => {
            setFinishedPayment(null)
            setLines([...lines, { ...found, amountCents: found.owedCents > 0 ? found.owedCents : null }])
            // The pressed button is disabled now. The focus moves to the amount.
            requestAnimationFrame(() => {
              const amount = list.current?.querySelector<HTMLInputElement>('li:last-child input')
              arriveAt(amount ?? null)
              amount?.select()
            })
          }}
          field={search}
        />
      </Panel>
      <Panel id="take-payment" title={<Trans>This payment</Trans>}>
        {finishedPayment && <Done key={finishedPayment.paymentId} taken={finishedPayment} />}
        {lines.length === 0 && !finishedPayment && (
          <p className="text-muted">
            <Trans>Find what is to be paid, and add it.</Trans>
          </p>
        )}
        {lines.length > 0 && (
          <>
            <ul ref={list} className="mb-5 flex flex-col gap-4">
              {lines.map((line, at) => (
                <li key={`${line.kind}/${line.id}`} className="flex flex-wrap items-end gap-x-3">
                  <MoneyField
                    className="min-w-0 flex-1"
                    label={`${line.label} ${line.reference}, ${line.name}`}
                    hint={<OwedHint line={line} />}
                    value={line.amountCents}
                    onChange={(amountCents) => change(at, { amountCents })}
                  />
                  <Button
                    icon={Trash2}
                    aria-label={t`Remove ${line.label} ${line.reference}`}
                    onClick={() => {
                      setLines(lines.filter((_, n) => n !== at))
                      arriveAt(search.current)
                    }}
                  >
                    <Trans>Remove</Trans>
                  </Button>
                  <p role="status" className="w-full text-sm not-empty:mt-1">
                    {beyondOwed(line.amountCents, line)}
                  </p>
                  {line.takesCredit && beyondOwed(line.amountCents, line) && (
                    <Checkbox
                      className="w-full"
                      label={t`The payer wants to pay more than is due`}
                      checked={line.confirmedCents === line.amountCents}
                      onChange={({ target }) =>
                        change(at, { confirmedCents: target.checked ? line.amountCents : null })
                      }
                    />
                  )}
                </li>
              ))}
            </ul>
            <BookkeeperTotal label={t`Together`} amount={formatCents(totalCents)} className="mb-5" />
            <div className="mb-5">
              <RadioCards label={t`Paid by`} name="by" columns={3} options={options} value={by} onChange={setBy} />
            </div>
            {isManual(by) ? (
              <TenderForm
                key={by}
                method={by}
                drawerId={drawerId}
                lines={lines}
                totalCents={totalCents}
                onStale={onStale}
                onTaken={done}
              />
            ) : (
              provided && (
                <CardTender
                  key={by}
                  provided={provided}
                  isCheck={by === methods.echeck}
                  totalCents={totalCents}
                  payment={{ drawerId, pays: paysOf(lines), refusal: refuseAmounts(lines) }}
                  onStale={onStale}
                  onStarted={(started) => {
                    setFinishedPayment(null)
                    setCard(started)
                  }}
                />
              )
            )}
          </>
        )}
      </Panel>
    </div>
  )
}

/** Amount due and, for a payment arrangement, the next installment. */
function OwedHint({ line: { kind, id, owedCents } }: { line: Line }) {
  const next = useAnswer(arrangementOf, { kind, thingId: id }).data?.plan?.next
  return (
    <>
      <Owed cents={owedCents} />
      {next && (
        <Trans>
          {' '}
          · by installments, next {formatCents(next.openCents)} on {formatShortDate(next.dueOn)}
        </Trans>
      )}
    </>
  )
}

const paysOf = (lines: readonly Line[]) =>
  lines.map(({ kind, id, amountCents, owedCents, confirmedCents }) => ({
    kind,
    id,
    amountCents: amountCents ?? 0,
    seenCents: owedCents,
    ...(confirmedCents && { confirmedCents }),
  }))

interface TenderProps {
  method: PaperTender
  drawerId: number
  lines: readonly Line[]
  totalCents: number
  /** Reloads the amounts due if they changed, and rethrows the error. */
  onStale: (error: unknown) => never
  onTaken: (taken: TakePaymentResponse) => void
}

function TenderForm({ method, drawerId, lines, totalCents, onStale, onTaken }: TenderProps) {
  const { t } = useLingui()
  const form = useZodForm(tenderForm, {
    defaultValues: { method, tenderedCents: 1, number: '', email: '' },
  })
  const [receivedCents, setReceivedCents] = useState<number | null>(null)
  const tenderedCents = isCash(method) ? receivedCents : totalCents
  const busy = form.formState.isSubmitting
  return (
    <Form
      form={form}
      onSubmit={async ({ number, email }) => {
        const against = refuseAmounts(lines)
        if (against) throw new FormRefused(against)
        if (tenderedCents === null || tenderedCents < totalCents)
          throw new FormRefused(t`Enter what was handed over: at least ${formatCents(totalCents)}.`, 'tenderedCents')
        if (needsNumber({ method, number })) throw new FormRefused(translated(NUMBER_MISSING), 'number')
        const request = { drawerId, pays: paysOf(lines), method, tenderedCents, number, email }
        onTaken(await call(takePayment, request).catch(onStale))
      }}
    >
      {isCash(method) ? (
        <>
          <MoneyField
            label={t`Cash handed over`}
            value={receivedCents}
            onChange={setReceivedCents}
            error={form.field('tenderedCents').error}
          />
          <p role="status" className="text-lg tabular-nums">
            <Trans>
              Change{' '}
              <strong>
                {formatCents(
                  receivedCents === null ? 0 : changeOf({ method, totalCents, tenderedCents: receivedCents }),
                )}
              </strong>
            </Trans>
          </p>
        </>
      ) : (
        <TextField
          label={method === officeMethods.check ? t`Check number` : t`Money order number`}
          maxLength={30}
          autoComplete="off"
          {...form.field('number')}
        />
      )}
      <TextField label={t`Email for the receipt`} optional type="email" autoComplete="off" {...form.field('email')} />
      <div>
        <Button type="submit" look="primary" busy={busy} busyLabel={<Trans>Taking...</Trans>}>
          <Trans>Take {formatCents(totalCents)}</Trans>
        </Button>
      </div>
    </Form>
  )
}

/** Change for the customer, and the receipt in either paper size. */
function Done({ taken }: { taken: TakePaymentResponse }) {
  const print = (paperSize: 'letter' | 'roll') =>
    void download(paymentReceipt, { paymentId: taken.paymentId, paper: paperSize }).catch((error: unknown) =>
      toast(messageOf(error), 'danger'),
    )
  return (
    <Notice tone="success" arrives className="mb-4">
      <p>{taken.message}</p>
      {taken.changeCents > 0 && (
        <p className="my-2 font-bold font-display text-tile-wide tabular-nums">
          <Trans>Change {formatCents(taken.changeCents)}</Trans>
        </p>
      )}
      <span className="flex flex-wrap gap-2">
        <Button size="small" icon={Printer} onClick={() => print('roll')}>
          <Trans>Receipt, 80 mm</Trans>
        </Button>
        <Button size="small" icon={Printer} onClick={() => print('letter')}>
          <Trans>Receipt, Letter</Trans>
        </Button>
      </span>
    </Notice>
  )
}
