import { verifyBy } from '../../../server/verify.ts'
import { PAY_CHANNEL } from '../../payments/rules.ts'

/**
 * Checks that each posted lockbox payment has exactly one order with its amount, and that no other order came from the
 * lockbox.
 */
export const verifyLockbox = verifyBy([
  {
    holds: 'each lockbox payment is posted once, with its amount',
    of: `lockbox_payment WHERE state = 'posted'`,
    violations: `SELECT coalesce(l.company_id, o.company_id) AS company_id, CASE WHEN l.id IS NULL THEN 'payment P' || o.id || ' came through no bank file'
        ELSE 'trace ' || l.trace || ' is of ' || l.amount_cents || ' cents, its payment of ' || coalesce(o.total_cents, 0) END AS what
      FROM (SELECT * FROM lockbox_payment WHERE state = 'posted') l
        FULL JOIN (SELECT * FROM payment_order WHERE location = ${PAY_CHANNEL}) o ON o.company_id = l.company_id AND o.id = l.order_id
      WHERE l.id IS NULL OR o.id IS NULL OR l.currency = 'USD' AND l.amount_cents <> o.total_cents`,
  },
])
