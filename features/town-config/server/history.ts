import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { implementList } from '../../../server/list.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { refusingTakenNames } from '../../companies/api.ts'
import { comparePast, restoreConfig } from '../contract.ts'
import { configHistory } from '../list.ts'
import { changesOf, sectionNames } from '../report.ts'
import { type Section, sections } from '../rules.ts'
import { newestVersions } from './config-calls.ts'
import { namesOf } from './names.ts'
import { checkSection, forgetCompany, refuseStale, saveSection } from './save-section.ts'
import { stored } from './stored.ts'
import { say, translated } from '../../../shared/messages.ts'

type States = Record<'before' | 'after', Record<string, unknown>>
type Names = Awaited<ReturnType<typeof namesOf>>

export const historyLists = implementList(configHistory, {
  table: sql`company_config_version`,
  where: () => [sql`r.section = ANY(${sections})`],
  columns: {
    version: 'id',
    at: 'at',
    actorName: 'actor_name',
    section: 'section',
    origin: 'origin',
    changes: sql`NULL`,
  },
  hidden: { before: sql`r.before`, after: sql`r.after` },
  // Loads the names with the platform's access, because a company may not read all of them.
  lookup: (_rows, { call, company }) => call.context.readingAll(async (tx) => (company ? namesOf(tx, company.id) : {})),
  row: (_row, _call, hidden) => {
    const { before, after, lookup } = hidden as States & { lookup: Names }
    return { changes: changesOf(before, after, lookup) }
  },
})

const hasSection = <R extends { section: string }>(row: R): row is R & { section: Section } =>
  (sections as readonly string[]).includes(row.section)

async function pastState(tx: Tx, company: CompanyId, id: number, state: 'before' | 'after') {
  const row = await tx
    .selectFrom('company_config_version')
    .select(['section', sql.ref<Record<string, unknown>>(state).as('state')])
    .where('company_id', '=', company)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row || !hasSection(row)) throw notFound('This version is not in the history of this municipality.')
  return row
}

export const compareWithNow = implement(comparePast, ({ context, company, body }) =>
  context.acrossCompanies(async (tx) => {
    const { section, state } = await pastState(tx, company.id, body.versionId, body.state)
    const now = await stored[section].read(tx, company.id)
    const basis = (await newestVersions(tx, company.id))[section] ?? 0
    return { section, basis, changes: changesOf(now, state, await namesOf(tx, company.id)) }
  }),
)

export const restoreConfigCall = implement(restoreConfig, async (call) => {
  const { context, company, body } = call
  const { section, version } = await refusingTakenNames(
    () =>
      context.acrossCompanies(async (tx) => {
        const past = await pastState(tx, company.id, body.versionId, body.state)
        // Checks the value against the current rules, which may refuse a value that was allowed earlier.
        const value = checkSection(past.section, past.state)
        await refuseStale(tx, company.id, [past.section], body.basis)
        const saving = { section: past.section, value, origin: 'restored' as const }
        return { section: past.section, version: await saveSection(tx, context, call, company.id, saving) }
      }),
    { name: 'name', subdomain: 'subdomain' },
  )
  forgetCompany(context)
  if (version === null)
    throw conflict(
      'same_already',
      say`${translated(sectionNames[section])}: the current settings already match this version.`,
    )
  return { success: true as const, message: say`${translated(sectionNames[section])} restored.`, version }
})
