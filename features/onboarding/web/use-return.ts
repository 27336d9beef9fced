import { useEffect, useRef, useState } from 'react'
import { call, sentenceOf } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { askProvider } from '../contract.ts'
import { reloadOnboardings } from './fresh.ts'

/**
 * Somebody comes back from the provider's page: it is asked at once how the town stands, since its event may come later.
 * Answers whether they were sent back because that page was over.
 */
export function useReturn(of: { companyId?: number; id: number }): boolean {
  const from = useQueryParam('from')
  const [isOver, setOver] = useState(false)
  const begun = useRef(false)
  const { companyId, id } = of
  useEffect(() => {
    if (from === null || begun.current) return
    begun.current = true
    setQuery({ from: null })
    if (from === 'refresh') setOver(true)
    call(askProvider, { ...(companyId !== undefined && { companyId }), id })
      .then(
        ({ message }) => from === 'return' && toast(message),
        (failure: unknown) => toast(sentenceOf(failure), 'danger'),
      )
      .then(reloadOnboardings, () => {})
  }, [from, companyId, id])
  return isOver
}
