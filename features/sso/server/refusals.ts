import type { Call } from '../../../server/call.ts'
import { Refusal } from '../../../server/errors.ts'
import { countFailures, defineAddressLimit } from '../../../server/limits.ts'

/** Only those that are refused count: each leaves a line in the audit log. */
const perAddress = defineAddressLimit('sso-back', { most: 50 })

/** @throws 429, and what `work` throws */
export const countRefusals = <T>(call: Call, work: () => Promise<T>): Promise<T> =>
  countFailures(call.context, [perAddress(call.address)], work)

/** Writes down that somebody was not let in and why, for staff to read in the Login Report, and says it to them. */
export async function refuseSignIn(
  call: Call,
  reason: string,
  sentence: string,
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
  throw new Refusal(status, code, sentence)
}
