import { useCallback, useEffect, useRef, useState } from 'react'
import { useLive } from '../../../web/live.ts'
import { reload } from '../../../web/query.ts'
import { paymentEvents } from '../contract.ts'
import { paymentDetails, paymentReport } from '../list.ts'
import type { Payment } from './payment-labels.tsx'

/**
 * Delay before the list reloads, in milliseconds. One payment causes several events within a second, and a single
 * reload covers them all.
 */
const GATHER_MS = 400

/** Newest id before the first rows arrive. No id is higher, so no payment counts as new. */
const UNKNOWN = Number.POSITIVE_INFINITY

interface FreshPayments {
  isFresh: (id: number) => boolean
  /** Records the rows that arrive from the server. */
  saw: (rows: readonly Payment[]) => void
  /** Newest payment since the screen opened, with its current state. */
  latest: Payment | null
  /** Number of new payments that this page of the list does not show. */
  newCount: number
}

/**
 * Follows the company's payments while the report is open. Reloads the list and counts new payments.
 * @param isNewestVisible true if the visible list has the newest payments first
 */
export function useFreshPayments(isNewestVisible: boolean): FreshPayments {
  const newest = useRef(UNKNOWN)
  const heard = useRef(new Set<number>())
  const [fresh, setFresh] = useState<ReadonlySet<number>>(new Set())
  const [newCount, setNewCount] = useState(0)
  const [latest, setLatest] = useState<Payment | null>(null)

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const scheduleReload = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void Promise.all([reload(paymentReport.call), reload(paymentDetails)]), GATHER_MS)
  }

  const hear = (id: number) => {
    // Ids only increase, so a payment with an id above all earlier ids is new.
    if (id > newest.current && !heard.current.has(id)) {
      heard.current.add(id)
      if (!isNewestVisible) setNewCount((count) => count + 1)
    }
    scheduleReload()
  }
  useLive(paymentEvents, ({ id }) => hear(id), scheduleReload)

  const saw = (rows: readonly Payment[]) => {
    newest.current = Math.max(newest.current === UNKNOWN ? 0 : newest.current, ...rows.map(({ id }) => id))
    const came = rows.filter(({ id }) => heard.current.has(id))
    if (came.length > 0) {
      setFresh((existing) =>
        came.every(({ id }) => existing.has(id)) ? existing : new Set([...existing, ...came.map(({ id }) => id)]),
      )
      setLatest(came.reduce((a, b) => (b.id > a.id ? b : a)))
    }
    if (isNewestVisible) setNewCount(0)
  }
  const isFresh = useCallback((id: number) => fresh.has(id), [fresh])
  return { isFresh, saw, latest, newCount }
}
