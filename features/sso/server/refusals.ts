import type { Call } from '../../../server/call.ts'
import { Refusal } from '../../../server/errors.ts'
import { countWrongGuess, type Guess, refuseWhileWaiting } from '../../../server/limits.ts'

/** Refused ways back from one address that are free, in 15 minutes: each leaves a line in the audit log. */
const PER_ADDRESS = 50
const guessOf = ({ address }: Call): Guess => ({ scope: 'sso-back', key: address, most: PER_ADDRESS })

/** @throws 429 */
export const refuseCrowds = (call: Call): Promise<void> =>
  refuseWhileWaiting(call.house.outside, call.house.clock, [guessOf(call)])

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
  await countWrongGuess(call.house.outside, call.house.clock, [guessOf(call)])
  await call.inCompany((tx) =>
    call.audit(tx, {
      action: 'sign_in.refused',
      detail: { how, address: call.address, device: call.device, reason },
      ...(person !== undefined && { subject: { kind: 'person', id: person }, person }),
    }),
  )
  throw new Refusal(status, code, sentence)
}
