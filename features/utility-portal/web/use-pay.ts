import { useState } from 'react'
import { call, messageOf } from '../../../web/call.ts'
import { go } from '../../../web/go.ts'
import { toast } from '../../../web/ui/Toasts.tsx'
import { addToOpenCart } from '../../checkout/web/parts/follow-cart.ts'
import { openPayment } from '../contract.ts'

interface PayOptions {
  /** True if the installment that is due is preselected instead of the amount due. */
  byPlan?: boolean
}

/** Opens one checkout for these accounts, or adds them to the cart without leaving the page. */
export function usePay() {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const pay = async (accountIds: number[], { byPlan }: PayOptions = {}) => {
    setBusy(true)
    setRefusal('')
    try {
      const { token } = await call(openPayment, { accountIds })
      go(`/guest/payment/${token}${byPlan ? '?pay=installment' : ''}`)
    } catch (error) {
      setRefusal(messageOf(error))
      setBusy(false)
    }
  }
  const add = async (accountIds: number[], added: string) => {
    setBusy(true)
    setRefusal('')
    try {
      await addToOpenCart((into) => call(openPayment, { accountIds, ...into }))
      toast(added)
    } catch (error) {
      setRefusal(messageOf(error))
    }
    setBusy(false)
  }
  return { pay, add, busy, refusal }
}
