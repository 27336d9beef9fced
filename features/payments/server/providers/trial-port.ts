import type { Call } from '../../../../server/call.ts'

/** Runs a test charge through the provider. Null if the provider takes real payments. */
export type TryCharge = (call: Call) => Promise<{ failed: boolean } | null>

/** Test charge of the onboarding, for the preview by staff. */
export const trialPort: { tryCharge: TryCharge } = {
  tryCharge: () => Promise.reject(new Error('no feature defines a test charge')),
}
