import { useState } from 'react'
import { toast } from '../../Toasts.tsx'
import { messageOf } from '../../../call.ts'

/** Runs slow work, never twice at the same time, and reports a failure. */
export function useBusy(work: (() => Promise<void>) | undefined) {
  const [busy, setBusy] = useState(false)
  const run = () => {
    setBusy(true)
    work?.()
      .catch((error: unknown) => toast(messageOf(error), 'danger'))
      .finally(() => setBusy(false))
  }
  return { busy, run }
}
