import { useEffect, useState } from 'react'
import { call } from '../../../web/call.ts'
import { currentSession } from '../../../web/session.ts'
import { supportPrefill } from '../contract.ts'
import type { Prefill } from '../rules.ts'

/**
 * Loads the initial form values of the signed-in person. Null while loading. Empty for guests or after a failure,
 * because the form must still work (spec 8.6).
 */
export function usePrefill(): Partial<Prefill> | null {
  const [prefill, setPrefill] = useState<Partial<Prefill> | null>(() => (currentSession() ? null : {}))
  useEffect(() => {
    if (!currentSession()) return
    let here = true
    call(supportPrefill, {}).then(
      (loaded) => here && setPrefill(loaded),
      () => here && setPrefill({}),
    )
    return () => {
      here = false
    }
  }, [])
  return prefill
}
