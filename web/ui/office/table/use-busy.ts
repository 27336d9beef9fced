import { useState } from 'react'
import { toast } from '../../Toasts.tsx'
import { messageOf } from '../../../call.ts'

/** Returns a function that runs slow work and reports a failure. `busy` is true while the work runs. */
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
