import { sql } from 'kysely'
import { matchesSearch } from '../../../server/list-sql.ts'
import { implementList } from '../../../server/list.ts'
import { say, translated } from '../../../shared/messages.ts'
import { onboardings } from '../list.ts'
import { documentKinds, missingDocuments, sentencesOf, whyOf, type OnboardingInput } from '../rules.ts'

const DOCUMENTS = sql`coalesce((SELECT jsonb_agg(jsonb_build_object('kind', d.kind, 'status', d.status)) FROM onboarding_document d
  WHERE d.company_id = r.company_id AND d.onboarding_id = r.id AND d.status <> 'replaced'), '[]')`

/** Returns the missing information in one line: the first item and the number of further items. */
function missingLine({ provider, missing, why, status, documents }: Record<string, unknown>): string {
  const input: OnboardingInput = {
    ...{ provider: String(provider), hasStarted: true, providerState: 'missing', why: String(why) },
    ...{ missing: missing as string[], documents: documents as OnboardingInput['documents'] },
  }
  if (status === 'ready' || status === 'not_started') return ''
  const all = [
    ...sentencesOf(input.missing).map(({ text, code }) =>
      code === null ? translated(text) : `${translated(text)} (${code})`,
    ),
    ...missingDocuments(input).map((kind) => `${translated(documentKinds[kind])}.`),
  ]
  const [first, ...rest] = all
  if (first === undefined) return translated(whyOf(input.why))
  return rest.length === 0 ? first : say`${first} And ${rest.length} more.`
}

/** List of the onboardings of all companies. */
export const onboardingLists = implementList(onboardings, {
  table: sql`provider_onboarding`,
  joins: sql`LEFT JOIN company c ON c.id = r.company_id`,
  columns: {
    company: sql`c.name`,
    companyId: 'company_id',
    provider: 'provider',
    status: 'status',
    owedBy: 'owed_by',
    missing: sql`array_to_string(r.missing, ', ')`,
    missingLine: sql`''`,
    since: 'status_at',
    mayCharge: 'may_charge',
    isPaidOut: 'is_paid_out',
    checkedAt: sql`r.checked_at`,
  },
  search: (search) => sql`r.company_id IN (SELECT c.id FROM company c WHERE ${matchesSearch(sql`c.name_key`, search)})`,
  hidden: { codes: sql`r.missing`, why: sql`r.why`, documents: DOCUMENTS },
  row: (row, _call, { codes, why, documents }) => ({
    missingLine: missingLine({ provider: row.provider, status: row.status, missing: codes, why, documents }),
    can: { view: true },
  }),
  exported: 'export.onboardings',
})
