/** Preloaded into a portal process by a test, so that it knows permits. */
import { definePayable } from '../features/payments/server/orders/payable.ts'
import { permits } from './permits.ts'

definePayable(permits)
