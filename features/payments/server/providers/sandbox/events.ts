import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { type Provider, ProviderRefused } from '../provider.ts'

/** Maximum event age and clock difference, in seconds. Prevents the replay of recorded events. */
const TOLERANCE_SECONDS = 300

const eventBody = z.object({
  id: z.string(),
  type: z.string(),
  account: z.string(),
  data: z.object({
    object: z.enum(['intent', 'refund', 'dispute', 'account']),
    object_id: z.string(),
    intent: z.string(),
  }),
})

/** Builds the method that reads signed events. */
export const eventVerbs = (secret: string): Pick<Provider, 'signatureHeader' | 'readEvent'> => ({
  signatureHeader: 'gateway-signature',
  readEvent(rawBody, signature, now) {
    verifySignature(secret, rawBody, signature, now)
    const event = eventBody.parse(JSON.parse(rawBody))
    return {
      provider: 'sandbox',
      id: event.id,
      type: event.type,
      account: event.account,
      intentId: event.data.intent,
      object: event.data.object,
      objectId: event.data.object_id,
    }
  },
})

/**
 * Verifies `t=<seconds>,v1=<hex hmac-sha256 of "t.body">` on the raw body, within the time tolerance.
 * @throws ProviderRefused if the signature or its time is wrong
 */
function verifySignature(secret: string, rawBody: string, signature: string | undefined, now: Date): void {
  const [, seconds = '', receivedSignature = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature ?? '') ?? []
  const expected = createHmac('sha256', secret).update(`${seconds}.${rawBody}`).digest()
  const received = Buffer.from(receivedSignature, 'hex')
  if (received.length !== expected.length || !timingSafeEqual(received, expected))
    throw new ProviderRefused('the signature is wrong')
  if (Math.abs(now.getTime() / 1000 - Number(seconds)) > TOLERANCE_SECONDS)
    throw new ProviderRefused('the event is too old or too new')
}
