import { useEffect, useRef, useState } from 'react'
import { call, messageOf } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { checkProvider } from '../contract.ts'
import { reloadOnboardings } from './fresh.ts'

/**
 * Checks the provider's status immediately when a person returns from the provider's page, because the event may come
 * later.
 * @returns true if the page had expired
 */
export function useReturn(of: { companyId?: number; id: number }): boolean {
  const from = useQueryParam('from')
  const [isLinkExpired, setLinkExpired] = useState(false)
  const hasStarted = useRef(false)
  const { companyId, id } = of
  useEffect(() => {
    if (from === null || hasStarted.current) return
    hasStarted.current = true
    setQuery({ from: null })
    if (from === 'refresh') setLinkExpired(true)
    call(checkProvider, { ...(companyId !== undefined && { companyId }), id })
      .then(
        ({ message }) => from === 'return' && toast(message),
        (failure: unknown) => toast(messageOf(failure), 'danger'),
      )
      .then(reloadOnboardings, () => {})
  }, [from, companyId, id])
  return isLinkExpired
}
