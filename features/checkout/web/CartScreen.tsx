import { Trans } from '@lingui/react/macro'
import { ShoppingCart } from 'lucide-react'
import { useEffect, useState } from 'react'
import { call } from '../../../web/call.ts'
import { cartPath, tabCart } from '../../../web/cart.ts'
import { go } from '../../../web/go.ts'
import { useSession } from '../../../web/session.ts'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { EmptyState, Failed, LoadingState } from '../../../web/ui/States.tsx'
import { openCart } from '../contract.ts'

/** Opens the payment page of the open cart. If no cart is open, explains how to start one. */
export default function CartScreen() {
  const session = useSession()
  const person = session?.impersonating ? null : (session?.userId ?? null)
  const [isEmpty, setEmpty] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    let left = false
    const find = async () => {
      const token = person === null ? null : (await call(openCart, {})).token
      const cart = token ?? tabCart()?.into
      if (left) return
      if (cart) go(cartPath(cart), { replace: true })
      else setEmpty(true)
    }
    find().catch(setError)
    return () => {
      left = true
    }
  }, [person, round])
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={<Trans>Your Cart</Trans>} />
      {error !== null ? (
        <Failed
          error={error}
          title={<Trans>Could not open your cart</Trans>}
          onRetry={() => {
            setError(null)
            setRound(round + 1)
          }}
        />
      ) : isEmpty ? (
        <EmptyState
          icon={ShoppingCart}
          title={<Trans>Your cart is empty</Trans>}
          action={
            <div className="flex flex-wrap gap-3">
              <LinkButton to="/guest-utility-payment" variant="primary">
                <Trans>Find a utility bill</Trans>
              </LinkButton>
              <LinkButton to="/parking-tickets">
                <Trans>Find a parking ticket</Trans>
              </LinkButton>
              {person !== null && (
                <LinkButton to="/pay-bills">
                  <Trans>Find other items to pay</Trans>
                </LinkButton>
              )}
            </div>
          }
        >
          <Trans>Add bills to your cart and pay them together.</Trans>
        </EmptyState>
      ) : (
        <LoadingState rows={4} className="max-w-text">
          <Trans>Opening your cart…</Trans>
        </LoadingState>
      )}
    </Measure>
  )
}
