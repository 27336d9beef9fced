import { useState } from 'react'
import { call, sentenceOf } from '../../../web/call.ts'
import { go } from '../../../web/go.ts'
import { openPayment } from '../contract.ts'

interface Ways {
  /** Puts them into the cart that is open instead. */
  into?: string
  /** The installment that is due is chosen there, and not all that is owed. */
  byPlan?: boolean
}

/** Opens one checkout for these accounts and goes there. */
export function usePay() {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const pay = async (accountIds: number[], { into, byPlan }: Ways = {}) => {
    setBusy(true)
    setRefusal('')
    try {
      const { token } = await call(openPayment, { accountIds, ...(into !== undefined && { cart: into }) })
      go(`/guest/payment/${token}${byPlan ? '?pay=installment' : ''}`)
    } catch (error) {
      setRefusal(sentenceOf(error))
      setBusy(false)
    }
  }
  return { pay, busy, refusal }
}
