import * as z from 'zod/mini'
import { isoDate } from '../../shared/iso-date.ts'
import { type Access, endpoint } from '../../shared/endpoint.ts'
import { periodInOrder as inOrder } from '../../shared/period.ts'
import { accountKinds } from './rules.ts'

const companyId = z.int().check(z.minimum(1), z.maximum(2_147_483_647))
/** Filters of the reports: the fee program, and whether the company absorbs fees (spec 9.5: '1' yes, '0' no). */
const program = z.optional(z.enum(['convenience', 'service', 'none']))
const absorbFee = z.optional(z.enum(['0', '1']))
/**
 * Date that determines the day of an amount. `payment` is the payment date, as in the Payment Transaction Report, even
 * for later refunds. `money` is the day on which the money moved, as in the bank account.
 */
const countedBy = z._default(z.enum(['payment', 'money']), 'payment')
/** First and last day, both included, in the time zone of each municipality. */
const period = { fromDate: isoDate, toDate: isoDate }

/** Signed cents within the safe integer range, for sums over all municipalities. */
const cents = z.int()

const viewed: Access = { audience: 'platform', privilege: ['reports_admin', 'view'] }

/** Card or eCheck payments: their count, and amounts and fees net of refunds. */
const part = z.object({ payments: z.int(), amountCents: cents, feeCents: cents })

/**
 * Fees from the ledger. `payments` is the number of payments. `amountCents` is the net amount for the municipality.
 * `paidCents` are fees charged to payers, `absorbedCents` fees absorbed by the municipality, and `refundCents` refunds
 * of both. `feeCents` is `paidCents` + `absorbedCents` − `refundCents`. `totalCents` is the net amount that payers
 * paid.
 */
const fees = {
  payments: z.int(),
  amountCents: cents,
  paidCents: cents,
  absorbedCents: cents,
  refundCents: cents,
  feeCents: cents,
  totalCents: cents,
  card: part,
  echeck: part,
}
const feeSums = z.object(fees)

/** Returns the fees of one company for each day with money movements. */
export const feeDays = endpoint({
  path: 'admin/return/fee/days',
  summary: 'Returns the convenience fees of a company by day',
  access: viewed,
  body: z.object({ companyId, ...period, absorbFee, program, countedBy }).check(...inOrder()),
  response: z.object({ days: z.array(z.object({ day: z.string(), ...fees })), totals: feeSums }),
})

/** Returns each revenue and expense account by month, for one company or for all companies together. */
export const profitMonths = endpoint({
  path: 'admin/return/profit/months',
  summary: 'Returns profit and loss by account and month',
  access: viewed,
  scope: 'none',
  body: z.object({ ...period, company: z.optional(companyId) }).check(...inOrder()),
  response: z.object({
    /** Months as YYYY-MM, without gaps. */
    months: z.array(z.string()),
    accounts: z.array(
      z.object({
        code: z.string(),
        name: z.string(),
        kind: z.enum(accountKinds),
        /** Amounts in the order of `months`. */
        cents: z.array(cents),
        totalCents: cents,
        /** True if the ledger has entries on the account in the period. */
        moved: z.boolean(),
      }),
    ),
    revenue: z.array(cents),
    expense: z.array(cents),
    net: z.array(cents),
    totals: z.object({ revenueCents: cents, expenseCents: cents, netCents: cents }),
  }),
})
