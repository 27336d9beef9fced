import { useEffect } from 'react'
import { setQuery } from './go.ts'
import { useQueryParam } from './routes.tsx'

/**
 * Parameters that a payment provider adds to the return URL when the payer returns from the bank's page. The value null
 * removes the parameter from the URL.
 */
export const FROM_BANK = {
  payment_intent: null,
  payment_intent_client_secret: null,
  setup_intent: null,
  setup_intent_client_secret: null,
  redirect_status: null,
}

/**
 * Removes the parameters of `FROM_BANK` from the URL, because people copy and print the URL and browsers store it in
 * the history. Screens with `setup` in the URL remove the parameters themselves.
 */
export function useCleanAddress(): void {
  const hasReturned = useQueryParam('redirect_status') !== null
  const setup = useQueryParam('setup')
  useEffect(() => {
    if (hasReturned && setup === null) setQuery(FROM_BANK)
  }, [hasReturned, setup])
}
