import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { go } from '../../../../web/go.ts'
import { payForm, type sendForm } from '../../contract.ts'

/** Opens the payment page for the fee. Opens the submission if the payment page cannot be opened or nothing is due. */
export async function openNext({ token, next }: Pick<ResponseOf<typeof sendForm>, 'token' | 'next'>): Promise<void> {
  const page = `/forms-documents/submission/${token}`
  const checkout = next === 'pay' ? await call(payForm, { token }).catch(() => null) : null
  if (checkout === null) go(page)
  else go(`/guest/payment/${checkout.token}`, { back: page })
}
