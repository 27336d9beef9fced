import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLive } from '../../../../web/live.ts'
import { reload } from '../../../../web/query.ts'
import { paymentDetails, paymentEvents, paymentReport } from '../../contract.ts'
import type { Payment } from './payment-words.tsx'

/** One payment makes several events within a second; the list is asked once for all of them. */
const GATHER_MS = 400

interface Fresh {
  /** Came while this screen was open. */
  isFresh: (id: number) => boolean
  /** Told by `load` which rows are on show. */
  saw: (rows: readonly Payment[]) => void
  /** What came last, for those who listen; '' before anything came. */
  latest: Payment | null
  /** Payments that came while another page than the first was on show. */
  waiting: number
}

/**
 * Follows the town's payments while the report is open: the list is asked anew, and what came since is known by its id.
 * @param onFirstPage where new payments appear by themselves
 */
export function useFreshPayments(onFirstPage: boolean): Fresh {
  const opened = useRef(Date.now())
  const heard = useRef(new Set<number>())
  const [fresh, setFresh] = useState<ReadonlySet<number>>(new Set())
  const [latest, setLatest] = useState<Payment | null>(null)
  const [waiting, setWaiting] = useState<ReadonlySet<number>>(new Set())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const ask = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      void reload(paymentReport)
      void reload(paymentDetails)
    }, GATHER_MS)
  }
  useLive(
    paymentEvents,
    ({ id }) => {
      heard.current.add(id)
      // The newest numbers are the newest payments: an old one that changes is no news on another page.
      if (!onFirstPage && id > newest.current) setWaiting((some) => new Set(some).add(id))
      ask()
    },
    ask,
  )

  const newest = useRef(0)
  const saw = useEffectEvent((rows: readonly Payment[]) => {
    const came = rows.filter(({ id, date }) => heard.current.has(id) && Date.parse(date) >= opened.current - CLOCKS_APART_MS)
    newest.current = Math.max(newest.current, ...rows.map(({ id }) => id))
    if (onFirstPage) setWaiting((some) => (some.size === 0 ? some : new Set()))
    const news = came.toSorted((a, b) => b.id - a.id)[0]
    if (news && (news.id !== latest?.id || news.paymentStatus !== latest.paymentStatus)) setLatest(news)
    if (came.some(({ id }) => !fresh.has(id))) setFresh(new Set([...fresh, ...came.map(({ id }) => id)]))
  })
  return { isFresh: (id) => fresh.has(id), saw, latest, waiting: waiting.size }
}

/** The browser's clock and the server's may differ. */
const CLOCKS_APART_MS = 10 * 60_000
