/** Preloaded into a portal's process by a test, so that it knows permits, too. */
import { definePayable } from '../features/payments/server/payables.ts'
import { permits } from './permits.ts'

definePayable(permits)
