import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { sentenceOf } from '../call.ts'
import { shortTime } from '../clock.ts'
import { dropDraft } from '../drafts.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Text } from '../ui/Text.tsx'

type SaveState = { state: 'no' } | { state: 'saving' } | { state: 'saved'; at: string } | { state: 'lost'; why: string }

interface Keeping {
  /** What stood in the inputs when they were loaded. */
  given: FieldValues
  /** When it was saved last; null where it never was. */
  savedAt: string | null
  /** The draft of this browser, which goes once the server has the same. */
  local: string
  /** Keeps what is typed by now. `before`: what this device sent or was given before, so that another one's changes stay. */
  send: (raw: FieldValues, before: FieldValues) => Promise<{ savedAt: string; others: readonly string[] }>
}

/**
 * Keeps what is typed on the server, one call after the other, the newest last. What could not be kept stays in this
 * browser and is sent again when the connection is back.
 */
export function useKeeping({ given, savedAt, local, send }: Keeping) {
  const [kept, setKept] = useState<SaveState>(savedAt ? { state: 'saved', at: savedAt } : { state: 'no' })
  const [others, setOthers] = useState<readonly string[]>([])
  const before = useRef<FieldValues>(given)
  const waiting = useRef<FieldValues | null>(null)
  const busy = useRef<Promise<void> | null>(null)
  const elsewhere = useRef(false)
  const work = async () => {
    while (waiting.current !== null) {
      const raw = waiting.current
      setKept({ state: 'saving' })
      try {
        const { savedAt: at, others: theirs } = await send(raw, before.current)
        before.current = raw
        setOthers(theirs)
        elsewhere.current = theirs.length > 0
        if (waiting.current === raw) {
          waiting.current = null
          dropDraft(local)
        }
        setKept({ state: 'saved', at })
      } catch (error) {
        setKept({ state: 'lost', why: sentenceOf(error) })
        throw error
      }
    }
  }
  const flush = (): Promise<void> =>
    (busy.current ??= work().finally(() => {
      busy.current = null
    }))
  const keep = (raw: FieldValues) => {
    waiting.current = raw
    flush().catch(() => {})
  }
  const again = useRef(flush)
  useEffect(() => {
    again.current = flush
  })
  useEffect(() => {
    const back = () => void again.current().catch(() => {})
    addEventListener('online', back)
    return () => removeEventListener('online', back)
  }, [])
  /** What another device changed is shown here by now. */
  const seen = () => setOthers([])
  return { kept, keep, flush, others, elsewhere, seen }
}

/** What another device of the same person changed meanwhile, and a way to see it. */
export const OthersNotice = ({ others, onShow }: { others: readonly string[]; onShow: () => void }) => (
  <Notice tone="warning" className="mb-5" title={<Trans>You changed this on another device, too</Trans>}>
    <p className="mb-3">
      <Trans>It is saved there, and not shown here yet: {others.join(', ')}.</Trans>
    </p>
    <Button size="small" onClick={onShow}>
      <Trans>Show it here</Trans>
    </Button>
  </Notice>
)

/** Whether what is typed is saved, and since when. */
export function KeptLine({ kept, onRetry }: { kept: SaveState; onRetry: () => void }) {
  if (kept.state === 'lost')
    return (
      <Notice tone="warning" className="w-full" title={<Trans>Not saved yet</Trans>}>
        <p className="mb-2">
          <Text>{kept.why}</Text>{' '}
          <Trans>What you typed stays in this browser, and is saved as soon as that works.</Trans>
        </p>
        <Button size="small" onClick={onRetry}>
          <Trans>Save now</Trans>
        </Button>
      </Notice>
    )
  return (
    <p role="status" className="text-muted text-sm">
      {kept.state === 'saving' && <Trans>Saving…</Trans>}
      {kept.state === 'saved' && <Trans>Saved at {shortTime(kept.at)}. You can go on later, on any device.</Trans>}
      {kept.state === 'no' && <Trans>What you type is saved as you go.</Trans>}
    </p>
  )
}
