import { implement, signedIn } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { isTestCompany } from '../../payments/api.ts'
import { phoneSetup, playCall } from '../contract.ts'
import { phoneSettings } from './phone-settings.ts'
import { advanceCall } from './advance-call.ts'
import { statusUrl, voiceUrl } from './voice.ts'

/** Simulates a call. Only available with the sandbox, where no money moves. */
export const playCallCall = implement(playCall, async (call) => {
  const { context, company, body } = call
  if (!(await call.reading((tx) => isTestCompany(context, tx, company.id))))
    throw notFound('You can simulate calls only in the sandbox.')
  // The call id includes the staff member, so no one else can continue the call.
  const line = {
    voiceProvider: 'sandbox',
    id: `${signedIn(call).personId}/${body.callId}`,
    phone: `+1${body.phone}`,
  } as const
  const { stepNo, text, expects } = await advanceCall(context, company, line, body.stepNo, body.keys)
  return { stepNo, text: [...text], expects }
})

export const phoneSetupCall = implement(phoneSetup, async (call) => {
  const { context, company } = call
  const { canPlay, enabled, number, needsPin } = await call.reading(async (tx) => ({
    ...(await phoneSettings(tx, company.id)),
    canPlay: await isTestCompany(context, tx, company.id),
  }))
  return {
    enabled,
    number,
    needsPin,
    voiceUrl: voiceUrl(context, company.id),
    statusUrl: statusUrl(context, company.id),
    canPlay,
  }
})
