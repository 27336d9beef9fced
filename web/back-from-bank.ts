import { useEffect } from 'react'
import { setQuery } from './go.ts'
import { useQueryParam } from './routes.tsx'

/** Parameters that a payment provider adds to the return address after the bank's page. All are removed. */
export const FROM_BANK = {
  payment_intent: null,
  payment_intent_client_secret: null,
  setup_intent: null,
  setup_intent_client_secret: null,
  redirect_status: null,
}

/**
 * Removes these parameters from the address, which people copy and print and the history stores. Screens with `setup`
 * in the address remove them themselves.
 */
export function useCleanAddress(): void {
  const isBack = useQueryParam('redirect_status') !== null
  const setup = useQueryParam('setup')
  useEffect(() => {
    if (isBack && setup === null) setQuery(FROM_BANK)
  }, [isBack, setup])
}
