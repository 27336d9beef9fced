import { sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { implementList } from '../../../server/list.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { refusingTakenNames } from '../../companies/api.ts'
import { comparePast, restoreConfig } from '../contract.ts'
import { configHistory } from '../list.ts'
import { changesOf, sectionNames } from '../report.ts'
import { reservedFields, sectionsFor } from '../rules.ts'
import { readerOf, refuseSection } from './access.ts'
import { newestVersions } from './config-calls.ts'
import { namesOf } from './names.ts'
import { checkSection, forgetCompany, refuseStale, saveSection } from './save-section.ts'
import { stored } from './stored.ts'
import { say, translated } from '../../../shared/messages.ts'

type States = Record<'before' | 'after', Record<string, unknown>>
type Names = Awaited<ReturnType<typeof namesOf>>

export const historyLists = implementList(configHistory, {
  table: sql`company_config_version`,
  where: ({ call }) => [sql`r.section = ANY(${sectionsFor(readerOf(signedIn(call)))})`],
  columns: {
    version: 'id',
    at: 'at',
    actorName: sql`CASE WHEN r.actor_kind = 'platform' THEN r.actor_name || ' (Mainstreet)' ELSE r.actor_name END`,
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

/**
 * Loads an earlier state of a section. Settings that the person may not change, or that are missing in that state, keep
 * their current values.
 * @throws 404 if the version belongs to another company, or to a section that the person may not see
 */
async function pastState(tx: Tx, call: Call<RequestOf<typeof comparePast>>) {
  const { company, body } = call
  const reader = readerOf(signedIn(call))
  const row = await tx
    .selectFrom('company_config_version')
    .select(['section', sql.ref<Record<string, unknown>>(body.state).as('state')])
    .where('company_id', '=', company.id)
    .where('id', '=', body.versionId)
    .executeTakeFirst()
  const section = sectionsFor(reader).find((visible) => visible === row?.section)
  if (!row || !section) throw notFound('This version is not in the history of this municipality.')
  const now: Record<string, unknown> = await stored[section].read(tx, company.id)
  const reserved = Object.fromEntries(reservedFields(section, reader, now).map((field) => [field, now[field]]))
  return { section, now, state: { ...now, ...row.state, ...reserved } }
}

export const compareWithNow = implement(comparePast, (call) =>
  call.context.acrossCompanies(async (tx) => {
    const { section, now, state } = await pastState(tx, call)
    const basis = (await newestVersions(tx, call.company.id))[section] ?? 0
    return { section, basis, changes: changesOf(now, state, await namesOf(tx, call.company.id)) }
  }),
)

export const restoreConfigCall = implement(restoreConfig, async (call) => {
  const { context, company, body } = call
  const { section, version } = await refusingTakenNames(
    () =>
      context.acrossCompanies(async (tx) => {
        const past = await pastState(tx, call)
        refuseSection(signedIn(call), past.section)
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
