import Stripe from 'stripe'
import type { StripeConfig } from '../../../../../server/config.ts'
import { ProviderRefused, ProviderSilent } from '../provider.ts'

/** API version that the types of this SDK describe. Other versions return other formats. */
export const API_VERSION = '2026-08-26.dahlia'
const TIMEOUT_MS = 10_000

/** Creates the SDK client without automatic retries, because the portal retries with its own idempotency keys. */
export function connect({ secretKey, apiUrl }: StripeConfig, timeoutMs = TIMEOUT_MS): Stripe {
  const url = apiUrl === null ? null : new URL(apiUrl)
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    ...(url && {
      host: url.hostname,
      port: url.port || (url.protocol === 'http:' ? 80 : 443),
      protocol: url.protocol === 'http:' ? ('http' as const) : ('https' as const),
    }),
  })
}

/** Error for a payment that a bank declined, with Stripe's code and, if available, the bank's code. */
export class Declined extends Error {
  readonly code: string | undefined
  readonly decline_code: string | undefined
  constructor(cause: Stripe.errors.StripeCardError) {
    super(cause.message, { cause })
    this.code = cause.code
    this.decline_code = cause.decline_code
  }
}

/**
 * Calls Stripe and maps its errors to those of the port.
 * @throws Declined if a bank refused, ProviderSilent if the outcome is unknown, otherwise ProviderRefused
 */
export async function callStripe<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    if (error instanceof Stripe.errors.StripeCardError) throw new Declined(error)
    const status = error.statusCode
    // 409: another request uses the same idempotency key or object. 429: too many requests.
    if (status === undefined || status >= 500 || status === 409 || status === 429)
      throw new ProviderSilent(`Stripe answered ${status ?? 'nothing'}: ${error.message}`, { cause: error })
    throw new ProviderRefused(`Stripe answered ${status}: ${error.message}`, { cause: error })
  }
}

/** Returns the id of an object, which Stripe sends either in full or only as an id. */
export const idOf = (object: string | { id: string } | null | undefined): string | null =>
  typeof object === 'string' ? object : (object?.id ?? null)

/** Returns the full object. Null if Stripe sent only its id. */
export const wholeOf = <T extends object>(object: string | T | null | undefined): T | null =>
  typeof object === 'object' ? object : null
