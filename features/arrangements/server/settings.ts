import { storeSettings } from '../../../server/db/rows.ts'
import { implement } from '../../../server/call.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import type { Company } from '../../../server/hosts.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { may } from '../../../shared/privileges.ts'
import { arrangementRules, saveArrangementRules } from '../contract.ts'
import { defaultTerms } from '../rules.ts'

export type Rules = ResponseOf<typeof arrangementRules>['rules']

const usual: Rules = {
  byResidents: true,
  maxInstallments: 6,
  maxDays: 190,
  minFirstPercent: 20,
  minCents: 50_00,
  graceDays: 5,
  terms: '',
}

/** Returns the rules of a company. With `locked`, no one else can change the rules until the transaction ends. */
export async function rulesOf(tx: Tx, company: CompanyId, { locked = false } = {}): Promise<Rules> {
  const query = tx.selectFrom('arrangement_settings').selectAll().where('company_id', '=', company)
  const row = await (locked ? query.forUpdate() : query).executeTakeFirst()
  if (!row) return usual
  return {
    byResidents: row.by_residents,
    maxInstallments: row.max_installments,
    maxDays: row.max_days,
    minFirstPercent: row.min_first_percent,
    minCents: row.min_cents,
    graceDays: row.grace_days,
    terms: row.terms,
  }
}

/**
 * Returns the current agreement text and its version. A stored text has its stored version, and a new text gets the
 * next version. Does not save the text.
 */
export async function currentTerms(tx: Tx, company: Pick<Company, 'id' | 'name'>, { terms }: Rules) {
  const text = terms || defaultTerms(company.name)
  const versions = await tx
    .selectFrom('arrangement_terms')
    .select(['version', 'text'])
    .where('company_id', '=', company.id)
    .orderBy('version', 'desc')
    .execute()
  const version = versions.find((stored) => stored.text === text)?.version ?? (versions[0]?.version ?? 0) + 1
  return { version, text }
}

export const rulesCall = implement(arrangementRules, (call) =>
  call.reading(async (tx) => ({
    rules: await rulesOf(tx, call.company.id),
    defaultTerms: defaultTerms(call.company.name),
    can: {
      edit: may(call.session?.privileges ?? {}, 'payments', 'update'),
    },
  })),
)

export const saveRulesCall = implement(saveArrangementRules, (call) => {
  const { companyId: _named, basis, ...own } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const before = await rulesOf(tx, company, { locked: true })
    const edit = editBy(tx, call, 'arrangement_settings')
    const { after, isChanged } = await applyEdit<Rules>(edit, { basis, own, before })
    if (isChanged) {
      const row = {
        by_residents: after.byResidents,
        max_installments: after.maxInstallments,
        max_days: after.maxDays,
        min_first_percent: after.minFirstPercent,
        min_cents: after.minCents,
        grace_days: after.graceDays,
        terms: after.terms,
      }
      await storeSettings(tx, 'arrangement_settings', company, row)
      await call.audit(tx, { action: 'arrangement.rules_saved', detail: { before, after } })
    }
    return { success: true as const, message: 'Rules saved. They apply to new arrangements.' }
  })
})
