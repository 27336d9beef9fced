import { useEffect, useState } from 'react'
import { call } from '../../../web/call.ts'
import { currentSession } from '../../../web/session.ts'
import { supportPrefill } from '../contract.ts'
import type { Prefill } from '../rules.ts'

/**
 * The data of whoever is signed in, to fill a form in with; null while it is being loaded. A guest has none, and where it
 * can't be loaded the form is empty: it works all the same (specification 8.6).
 */
export function usePrefill(): Partial<Prefill> | null {
  const [prefill, setPrefill] = useState<Partial<Prefill> | null>(() => (currentSession() ? null : {}))
  useEffect(() => {
    if (!currentSession()) return
    let here = true
    call(supportPrefill, {}).then(
      (found) => here && setPrefill(found),
      () => here && setPrefill({}),
    )
    return () => {
      here = false
    }
  }, [])
  return prefill
}
