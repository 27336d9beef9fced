import { useState, useEffect } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { takePayment, findPayables } from '../contract.ts'
import type { PayableMatch } from '../../../web/office/FindToPay.tsx'
import { officeMethods, methods, type OfficeMethod } from '../../payments/rules.ts'
import { readDraft, writeDraft, dropDraft } from '../../../web/drafts.ts'
import type { CardState } from './CardTender.tsx'
import { CallError, call } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { reload } from '../../../web/query.ts'
import { toast } from '../../../web/ui/Toasts.tsx'

export type TakePaymentResponse = ResponseOf<typeof takePayment>

export interface Line extends PayableMatch {
  amountCents: number | null
  confirmedCents?: number | null
}

export const MANUAL_METHODS = [officeMethods.cash, officeMethods.check, officeMethods.moneyOrder] as const
export type ManualTender = (typeof MANUAL_METHODS)[number]
export type TenderMethod = ManualTender | typeof methods.card | typeof methods.echeck
export const isManual = (by: TenderMethod): by is ManualTender => MANUAL_METHODS.some((one) => one === by)
export const isCash = (method: OfficeMethod) => method === officeMethods.cash

export const paysOf = (lines: readonly Line[]) =>
  lines.map(({ kind, id, amountCents, owedCents, confirmedCents }) => ({
    kind,
    id,
    amountCents: amountCents ?? 0,
    seenCents: owedCents,
    ...(confirmedCents && { confirmedCents }),
  }))

/** Manages the payment of one customer at a drawer, until staff take the money. */
export function useCounterPayment(drawerId: number, onPaid: () => void) {
  /** The draft survives a reload. Each drawer has a separate draft, because each drawer serves a different customer. */
  const draft = `counter-${drawerId}`
  const [lines, setLines] = useState<readonly Line[]>(() => readDraft(draft) ?? [])
  useEffect(() => (lines.length > 0 ? writeDraft(draft, lines) : dropDraft(draft)), [draft, lines])
  const [finishedPayment, setFinishedPayment] = useState<TakePaymentResponse | null>(null)
  const [customers, setCustomers] = useState(0)
  const [by, setBy] = useState<TenderMethod>(officeMethods.cash)
  /** Pending reader payment, started here or before a reload. */
  const [card, setCard] = useState<CardState | null>(null)
  const totalCents = lines.reduce((sum, { amountCents }) => sum + (amountCents ?? 0), 0)
  const change = (at: number, changed: Partial<Line>) =>
    setLines(lines.map((line, n) => (n === at ? { ...line, ...changed } : line)))
  /** Reloads the amounts due if another staff member took a payment in the meantime. Rethrows the error. */
  const onStale = (error: unknown): never => {
    if (error instanceof CallError && error.code === 'seen_otherwise') void findAgain()
    throw error
  }
  const findAgain = async () => {
    const fresh = await Promise.all(lines.map(({ reference }) => call(findPayables, { search: reference })))
    const now = fresh.flatMap(({ matches }) => matches)
    setLines(lines.map((line) => ({ ...line, ...now.find(({ kind, id }) => kind === line.kind && id === line.id) })))
  }
  const finish = (response: TakePaymentResponse) => {
    // The customer's items are paid, so the search starts empty for the next customer.
    setQuery({ find: null })
    setCustomers((before) => before + 1)
    setFinishedPayment(response)
    setLines([])
    setBy(officeMethods.cash)
    void reload(findPayables)
    onPaid()
  }
  const endCard = (ended: CardState) => {
    setCard(null)
    if (ended.state === 'paid' || ended.state === 'processing')
      return finish({ ...ended, success: true, changeCents: 0 })
    toast(ended.message, 'danger')
    onPaid()
  }
  return {
    lines,
    totalCents,
    finishedPayment,
    /**
     * Number of customers served so far. It is used as a React key, so that each customer starts with an empty search.
     */
    customers,
    by,
    setBy,
    card,
    change,
    add: (match: PayableMatch) => {
      setFinishedPayment(null)
      setLines([...lines, { ...match, amountCents: match.owedCents > 0 ? match.owedCents : null }])
    },
    remove: (at: number) => setLines(lines.filter((_, n) => n !== at)),
    startCard: (started: CardState) => {
      setFinishedPayment(null)
      setCard(started)
    },
    endCard,
    finish,
    onStale,
  }
}
