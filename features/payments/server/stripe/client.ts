import Stripe from 'stripe'
import type { StripeConfig } from '../../../../server/config.ts'
import { ProviderRefused, ProviderSilent } from '../provider.ts'

/** The version of the interface that this SDK's types describe: another one answers in other shapes. */
export const API_VERSION = '2026-08-26.dahlia'
const TIMEOUT_MS = 10_000

/** The SDK, which repeats nothing by itself: we repeat under keys of our own. */
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

/** A bank said no, with Stripe's code of it and, where there is one, the bank's own. */
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
 * Asks Stripe, and says its errors in the port's words.
 * @throws Declined where a bank refused, ProviderSilent where it is unknown what happened, ProviderRefused else
 */
export async function ask<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    if (error instanceof Stripe.errors.StripeCardError) throw new Declined(error)
    const status = error.statusCode
    // 409: another request has the same key, or the same object, at this moment. 429: too many at once.
    if (status === undefined || status >= 500 || status === 409 || status === 429)
      throw new ProviderSilent(`Stripe answered ${status ?? 'nothing'}: ${error.message}`, { cause: error })
    throw new ProviderRefused(`Stripe answered ${status}: ${error.message}`, { cause: error })
  }
}

/** The id of what may have come along whole. */
export const idOf = (object: string | { id: string } | null | undefined): string | null =>
  typeof object === 'string' ? object : (object?.id ?? null)

/** What came along whole, or null where only its id did. */
export const wholeOf = <T extends object>(object: string | T | null | undefined): T | null =>
  typeof object === 'object' ? object : null
