import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { type FeeRule, type FeeScope, type FeeTerms, NO_FEE } from '../rules-fees.ts'
import { methods } from '../rules.ts'

/** The day from which the first rules of a town hold: before anything was ever paid here. */
export const FIRST_DAY = '2000-01-01'

const FOR_ALL: FeeScope = { kind: null, method: methods.card, channel: null, brand: null, funding: null }

/** A rule, of which is said what is not usual: whatever is paid, by any card, anywhere, without a fee. */
export const ruleOf = (said: Partial<FeeRule>): FeeRule => ({
  ...{ ...FOR_ALL, ...NO_FEE, validFrom: FIRST_DAY, ends: false },
  ...said,
})

const flat = (fixedCents: number): Partial<FeeTerms> => ({
  program: 'convenience',
  fixedCents,
  minCents: 0,
  maxCents: fixedCents,
})

/** What a new town begins with: a flat convenience fee where one pays from afar, and none by AutoPay, as the networks allow it. */
const usualRules: readonly FeeRule[] = [
  ruleOf({ channel: 'online', ...flat(295) }),
  ruleOf({ channel: 'phone', ...flat(295) }),
  ruleOf({ method: methods.echeck, ...flat(150) }),
]

/** Writes rules of a town. Who may, and what the networks say of them, is judged before. */
export async function writeFeeRules(
  tx: Tx,
  company: CompanyId,
  rules: readonly FeeRule[],
  made: { at: Date | null; by: string },
): Promise<number[]> {
  const rows = await tx
    .insertInto('fee_rule')
    .values(rules.map((rule) => ({ company_id: company, ...columnsOf(rule), made_at: made.at, made_by: made.by })))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** A rule as its row has it. */
export const columnsOf = ({ validFrom, fixedCents, minCents, maxCents, ...rest }: FeeRule) => ({
  ...rest,
  valid_from: validFrom,
  fixed_cents: fixedCents,
  min_cents: minCents,
  max_cents: maxCents,
})

/** Whether the town `company` bears its fees today, as far as its widest rule says so: SQL, beside the zone `zone` and an instant. */
export const absorbsOn = (company: ReturnType<typeof sql>, today: ReturnType<typeof sql>) => sql<boolean>`coalesce((
  SELECT f.absorb = 1 AND NOT f.ends FROM fee_rule f
  WHERE f.company_id = ${company} AND f.method = 1 AND f.kind IS NULL AND f.channel IS NULL AND f.brand IS NULL AND f.funding IS NULL
    AND f.valid_from <= ${today} ORDER BY f.valid_from DESC LIMIT 1), false)`

/** A new town's first rules. */
export const openFees = (tx: Tx, company: CompanyId): Promise<unknown> =>
  writeFeeRules(tx, company, usualRules, { at: null, by: '' })
