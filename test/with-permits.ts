/** Module that a test preloads into a portal process, so that the portal accepts payments for permits. */
import { definePayable } from '../features/payments/server/orders/payable.ts'
import { permits } from './permits.ts'

definePayable(permits)
