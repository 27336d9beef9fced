import type { Call } from '../../../server/call.ts'
import { Refusal } from '../../../server/errors.ts'
import { countFailures, defineAddressLimit } from '../../../server/limits.ts'

/** Rate limit for refused sign-ins. Counts only refusals, because each adds an audit entry. */
const perAddress = defineAddressLimit('sso-back', { max: 50 })

/**
 * Runs `work` and counts a refusal toward the rate limit.
 * @throws 429, or the error of `work`
 */
export const countRefusals = <T>(call: Call, work: () => Promise<T>): Promise<T> =>
  countFailures(call.context, [perAddress(call.address)], work)

/** Records a refused sign-in for the Login Report and reports the reason to the person. */
export async function refuseSignIn(
  call: Call,
  reason: string,
  message: string,
  {
    status = 409,
    code = 'sso_refused',
    person,
    how = 'sso',
  }: Partial<Record<'code' | 'how', string>> & { status?: number; person?: number } = {},
): Promise<never> {
  await call.inCompany((tx) =>
    call.audit(tx, {
      action: 'sign_in.refused',
      detail: { how, address: call.address, device: call.device, reason },
      ...(person !== undefined && { subject: { kind: 'person', id: person }, person }),
    }),
  )
  throw new Refusal(status, code, message)
}
