import { useEffect } from 'react'
import { setQuery } from './go.ts'
import { useQueryParam } from './routes.tsx'

/** What a payment provider adds to the address that a payer comes back to from their bank, with what is left of it: nothing. */
export const FROM_BANK = {
  ...{ payment_intent: null, payment_intent_client_secret: null },
  ...{ setup_intent: null, setup_intent_client_secret: null, redirect_status: null },
}

/** Takes that out of the address, which is copied, kept in the history and printed. `setup`: see whoever asks for that. */
export function useCleanAddress(): void {
  const isBack = useQueryParam('redirect_status') !== null
  const setup = useQueryParam('setup')
  useEffect(() => {
    if (isBack && setup === null) setQuery(FROM_BANK)
  }, [isBack, setup])
}
