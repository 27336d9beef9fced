import { useCallback, useEffect, useRef, useState } from 'react'
import { useLive } from '../../../../web/live.ts'
import { reload } from '../../../../web/query.ts'
import { paymentEvents } from '../../contract.ts'
import { paymentDetails, paymentReport } from '../../list.ts'
import type { Payment } from './payment-words.tsx'

/** One payment makes several events within a second; the list is asked once for all of them. */
const GATHER_MS = 400

/** Before anything was seen nothing is new. */
const UNKNOWN = Number.POSITIVE_INFINITY

interface FreshPayments {
  isFresh: (id: number) => boolean
  /** Wants to be told which rows came from the server. */
  saw: (rows: readonly Payment[]) => void
  /** The newest that came while the screen was open, as it stands now. */
  latest: Payment | null
  /** How many came that this page of the list does not show. */
  waiting: number
}

/**
 * Follows the town's payments while the report is open: the list is asked anew, and what came since is known.
 * @param showsNewest does the list on show begin with the newest payments?
 */
export function useFreshPayments(showsNewest: boolean): FreshPayments {
  const newest = useRef(UNKNOWN)
  const heard = useRef(new Set<number>())
  const [fresh, setFresh] = useState<ReadonlySet<number>>(new Set())
  const [waiting, setWaiting] = useState(0)
  const [latest, setLatest] = useState<Payment | null>(null)

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const askAnew = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void Promise.all([reload(paymentReport.call), reload(paymentDetails)]), GATHER_MS)
  }

  const hear = (id: number) => {
    // Numbers grow, so a number above all that were seen is a payment that was not there before.
    if (id > newest.current && !heard.current.has(id)) {
      heard.current.add(id)
      if (!showsNewest) setWaiting((count) => count + 1)
    }
    askAnew()
  }
  useLive(paymentEvents, ({ id }) => hear(id), askAnew)

  const saw = (rows: readonly Payment[]) => {
    newest.current = Math.max(newest.current === UNKNOWN ? 0 : newest.current, ...rows.map(({ id }) => id))
    const came = rows.filter(({ id }) => heard.current.has(id))
    if (came.length > 0) {
      setFresh((known) =>
        came.every(({ id }) => known.has(id)) ? known : new Set([...known, ...came.map(({ id }) => id)]),
      )
      setLatest(came.reduce((a, b) => (b.id > a.id ? b : a)))
    }
    if (showsNewest) setWaiting(0)
  }
  const isFresh = useCallback((id: number) => fresh.has(id), [fresh])
  return { isFresh, saw, latest, waiting }
}
