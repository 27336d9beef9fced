import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { type FeeRule, type FeeScope, type FeeTerms, NO_FEE } from '../rules-fees.ts'
import { methods } from '../rules.ts'

/** Start date of a company's first fee rules. It is earlier than any payment in the portal. */
export const FIRST_DAY = '2000-01-01'

const FOR_ALL: FeeScope = { kind: null, method: methods.card, channel: null, brand: null, funding: null }

/** Builds a rule from its differences from the default: any item, any card, any location, no fee. */
export const ruleOf = (patch: Partial<FeeRule>): FeeRule => ({
  ...{ ...FOR_ALL, ...NO_FEE, validFrom: FIRST_DAY, ends: false },
  ...patch,
})

const flat = (fixedCents: number): Partial<FeeTerms> => ({
  program: 'convenience',
  fixedCents,
  minCents: 0,
  maxCents: fixedCents,
})

/**
 * Default rules of a new company: a flat convenience fee for remote payments and none for AutoPay, as the card networks
 * require.
 */
export const defaultRules: readonly FeeRule[] = [
  ruleOf({ channel: 'online', ...flat(295) }),
  ruleOf({ channel: 'phone', ...flat(295) }),
  ruleOf({ method: methods.echeck, ...flat(150) }),
]

/** Inserts fee rules of a company. The caller has already checked privileges and network rules. */
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

/** Maps a rule to its columns. */
export const columnsOf = ({ validFrom, fixedCents, minCents, maxCents, ...rest }: FeeRule) => ({
  ...rest,
  valid_from: validFrom,
  fixed_cents: fixedCents,
  min_cents: minCents,
  max_cents: maxCents,
})

/** Returns the SQL that reads a row of `fee_rule` as a `FeeRule`, the reverse of `columnsOf`. */
export const ruleIn = (row: string) => {
  const of = (column: string) => sql.ref(`${row}.${column}`)
  return sql<FeeRule>`jsonb_build_object('kind', ${of('kind')}, 'method', ${of('method')}, 'channel', ${of('channel')},
    'brand', ${of('brand')}, 'funding', ${of('funding')}, 'validFrom', ${of('valid_from')}, 'ends', ${of('ends')},
    'program', ${of('program')}, 'mode', ${of('mode')}, 'absorb', ${of('absorb')}, 'bps', ${of('bps')},
    'fixedCents', ${of('fixed_cents')}, 'minCents', ${of('min_cents')}, 'maxCents', ${of('max_cents')},
    'recovers', ${of('recovers')})`
}

/** Returns an SQL condition: true if the company's most general card rule absorbs the fees on the day `today`. */
export const absorbsOn = (company: ReturnType<typeof sql>, today: ReturnType<typeof sql>) => sql<boolean>`coalesce((
  SELECT f.absorb = 1 AND NOT f.ends FROM fee_rule f
  WHERE f.company_id = ${company} AND f.method = ${sql.lit(methods.card)} AND f.kind IS NULL AND f.channel IS NULL AND f.brand IS NULL AND f.funding IS NULL
    AND f.valid_from <= ${today} ORDER BY f.valid_from DESC LIMIT 1), false)`
