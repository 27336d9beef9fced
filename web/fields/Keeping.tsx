import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { messageOf } from '../call.ts'
import { shortTime } from '../clock.ts'
import { dropDraft } from '../drafts.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Text } from '../ui/Text.tsx'

type SaveState = { state: 'no' } | { state: 'saving' } | { state: 'saved'; at: string } | { state: 'lost'; why: string }

interface Keeping {
  /** Initial values of the inputs. */
  initialValues: FieldValues
  /** Time of the last save. Null if never saved. */
  savedAt: string | null
  /** Name of this browser's draft. The draft is deleted as soon as the server has the same values. */
  local: string
  /**
   * Saves the typed values. `before` has the values that this device last sent or received. The server uses it to keep
   * changes from other devices.
   */
  send: (raw: FieldValues, before: FieldValues) => Promise<{ savedAt: string; others: readonly string[] }>
}

/**
 * Saves typed values on the server, one call at a time. The newest values are saved last. Unsaved values stay in this
 * browser and are sent again when the connection returns.
 */
export function useAutosave({ initialValues, savedAt, local, send }: Keeping) {
  const [saveState, setSaveState] = useState<SaveState>(savedAt ? { state: 'saved', at: savedAt } : { state: 'no' })
  const [others, setOthers] = useState<readonly string[]>([])
  const before = useRef<FieldValues>(initialValues)
  const pendingValues = useRef<FieldValues | null>(null)
  const busy = useRef<Promise<void> | null>(null)
  const elsewhere = useRef(false)
  const work = async () => {
    while (pendingValues.current !== null) {
      const raw = pendingValues.current
      setSaveState({ state: 'saving' })
      try {
        const { savedAt: at, others: changedByOthers } = await send(raw, before.current)
        before.current = raw
        setOthers(changedByOthers)
        elsewhere.current = changedByOthers.length > 0
        if (pendingValues.current === raw) {
          pendingValues.current = null
          dropDraft(local)
        }
        setSaveState({ state: 'saved', at })
      } catch (error) {
        setSaveState({ state: 'lost', why: messageOf(error) })
        throw error
      }
    }
  }
  const flush = (): Promise<void> =>
    (busy.current ??= work().finally(() => {
      busy.current = null
    }))
  const save = (raw: FieldValues) => {
    pendingValues.current = raw
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
  /** Hides the notice about another device's changes, because the screen now shows them. */
  const seen = () => setOthers([])
  return { saveState, keep: save, flush, others, elsewhere, seen }
}

/** Notice of changes from another device of the same person, with a button to show them. */
export const OthersNotice = ({ others, onShow }: { others: readonly string[]; onShow: () => void }) => (
  <Notice tone="warning" className="mb-5" title={<Trans>You also made changes on another device</Trans>}>
    <p className="mb-3">
      <Trans>These changes are saved but not shown here yet: {others.join(', ')}.</Trans>
    </p>
    <Button size="small" onClick={onShow}>
      <Trans>Show changes</Trans>
    </Button>
  </Notice>
)

/** Shows whether the typed values are saved, and when they were saved. */
export function SavedLine({ saveState, onRetry }: { saveState: SaveState; onRetry: () => void }) {
  if (saveState.state === 'lost')
    return (
      <Notice tone="warning" className="w-full" title={<Trans>Not saved yet</Trans>}>
        <p className="mb-2">
          <Text>{saveState.why}</Text>{' '}
          <Trans>Your entries stay in this browser. We will save them as soon as possible.</Trans>
        </p>
        <Button size="small" onClick={onRetry}>
          <Trans>Save entries</Trans>
        </Button>
      </Notice>
    )
  return (
    <p role="status" className="text-muted text-sm">
      {saveState.state === 'saving' && <Trans>Saving…</Trans>}
      {saveState.state === 'saved' && (
        <Trans>Saved at {shortTime(saveState.at)}. You can continue later on any device.</Trans>
      )}
      {saveState.state === 'no' && <Trans>We save your entries as you type.</Trans>}
    </p>
  )
}
