import { sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { changeRow, rowFinderById } from '../../../server/db/rows.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import { implementList } from '../../../server/list.ts'
import { transition, actorOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { lockUntilCommit } from '../../../server/named-lock.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { say, translated } from '../../../shared/messages.ts'
import { staffKeyOf } from '../server/submit.ts'
import { inOrder, listZones, zoneNames } from '../server/zones.ts'
import {
  alertSources,
  transitionReceivedAlert,
  receivedAlerts,
  removeSource,
  saveSource,
  showSource,
  type SourceForm,
  filterReasonLabels,
} from '../contract-sources.ts'
import type { Severity } from '../rules.ts'
import { receivedStates } from '../states.ts'
import { lockedReceived, receivedStateStore, lockReceived, release, type Source } from './take.ts'

const MAX_SOURCES = 10
const DEFAULT_MIN_SEVERITY = 'Severe' satisfies Severity

const { find: findSource, lock: lockSource } = rowFinderById('alert_source', () =>
  notFound('This source was not found.'),
)

const mayChange = (call: Call): boolean => may(signedIn(call).privileges, 'alerts', 'update')

const sourceLists = implementList(alertSources, {
  table: sql`alert_source`,
  unindexed: { all: 'A municipality has at most ten sources.' },
  columns: {
    name: 'name',
    url: 'url',
    state: sql`CASE WHEN r.is_active THEN 'active' ELSE 'paused' END`,
    how: sql`CASE WHEN r.is_automatic THEN 'itself' ELSE 'release' END`,
    readAt: 'read_at',
    problem: 'problem',
  },
  row: ({ problem }, call) => ({
    problem: translated(problem),
    can: { edit: mayChange(call), remove: mayChange(call) },
  }),
})

const receivedLists = implementList(receivedAlerts, {
  table: sql`alert_received`,
  joins: sql`JOIN alert_source s ON s.company_id = r.company_id AND s.id = r.source_id
    LEFT JOIN alert a ON a.company_id = r.company_id AND a.id = r.alert_id`,
  columns: {
    receivedAt: 'received_at',
    headline: 'headline',
    type: 'msg_type',
    severity: 'severity',
    source: sql`s.name`,
    status: 'status',
    why: 'why',
    alert: sql`coalesce(a.number, '')`,
  },
  unindexed: { status: 'The date range limits the rows.', severity: 'The date range limits the rows.' },
  row: ({ status, why }, call) => ({
    why: why in filterReasonLabels ? translated(filterReasonLabels[why as keyof typeof filterReasonLabels]) : '',
    can: buttonsFrom(receivedStates, status, actorOf(call)),
  }),
})

const formOf = (row: Source): SourceForm => ({
  name: row.name,
  url: row.url,
  codes: row.codes,
  zoneIds: row.zone_ids,
  events: row.events,
  minSeverity: row.min_severity,
  serviceId: String(row.service_id),
  byItself: row.is_automatic,
  isActive: row.is_active,
})

/**
 * Returns the database row of a source from its form. `storedService` is the current service of the source, which can
 * be inactive.
 */
async function rowOf(tx: Tx, company: CompanyId, form: SourceForm, storedService: number | null = null) {
  const service = await tx
    .selectFrom('alert_service')
    .select('id')
    .where('company_id', '=', company)
    .where('id', '=', Number(form.serviceId))
    .where(({ eb, or }) => or([eb('is_active', '=', true), eb('id', '=', storedService ?? 0)]))
    .executeTakeFirst()
  const gone = say`This service no longer exists. Choose another one.`
  if (!service) throw rejected(gone, { 'form.serviceId': gone })
  const zoneIds = inOrder(form.zoneIds)
  await zoneNames(tx, company, zoneIds, 'form.zoneIds')
  return {
    zone_ids: zoneIds,
    ...{ name: form.name, url: form.url, codes: form.codes, events: form.events },
    min_severity: form.minSeverity,
    ...{ service_id: service.id, is_automatic: form.byItself, is_active: form.isActive },
  }
}

const showCall = implement(showSource, (call) =>
  call.reading(async (tx) => {
    const company = call.company.id
    const { sourceId } = call.body
    const services = await tx
      .selectFrom('alert_service')
      .select(['id', 'name'])
      .where('company_id', '=', company)
      .where('is_active', '=', true)
      .orderBy('type')
      .orderBy('position')
      .orderBy('id')
      .execute()
    const blank: SourceForm = {
      ...{
        name: '',
        url: '',
        codes: '',
        zoneIds: [],
        events: '',
        minSeverity: DEFAULT_MIN_SEVERITY,
        serviceId: String(services[0]?.id ?? ''),
      },
      ...{ byItself: false, isActive: true },
    }
    const form = sourceId === null ? blank : formOf(await findSource(tx, company, sourceId))
    return { form, services, zones: await listZones(tx, company), can: { edit: mayChange(call) } }
  }),
)

const saveCall = implement(saveSource, (call) =>
  call.inCompany(async (tx) => {
    const company = call.company.id
    const { sourceId, form: own, basis } = call.body
    if (sourceId === null) return add(tx, call, own)
    const row = await lockSource(tx, company, sourceId)
    const before = formOf(row)
    const edit = editBy(tx, call, `alert_source ${sourceId}`)
    const { after, isChanged } = await applyEdit<SourceForm>(edit, { basis, own, before })
    if (isChanged) {
      await changeRow(tx, 'alert_source', company, sourceId, await rowOf(tx, company, after, row.service_id))
      const subject = { kind: 'alert_source' as const, id: sourceId }
      await call.audit(tx, { action: 'alert_source.changed', subject, detail: { before, after } })
    }
    return { success: true as const, message: say`“${after.name}” saved.`, sourceId }
  }),
)

async function add(tx: Tx, call: Call, form: SourceForm) {
  const company = call.company.id
  await lockUntilCommit(tx, 'alert_source', company)
  const { n } = await tx
    .selectFrom('alert_source')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('company_id', '=', company)
    .executeTakeFirstOrThrow()
  if (Number(n) >= MAX_SOURCES)
    throw conflict('too_many_sources', say`You already have ${MAX_SOURCES} sources. Remove one that you no longer use.`)
  const { id } = await tx
    .insertInto('alert_source')
    .values({ company_id: company, ...(await rowOf(tx, company, form)) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await call.audit(tx, { action: 'alert_source.added', subject: { kind: 'alert_source', id }, detail: form })
  return {
    success: true as const,
    message: say`“${form.name}” added. The portal will read it within a minute.`,
    sourceId: id,
  }
}

const removeCall = implement(removeSource, (call) =>
  call.inCompany(async (tx) => {
    const company = call.company.id
    const row = await lockSource(tx, company, call.body.sourceId)
    await tx.deleteFrom('alert_source').where('company_id', '=', company).where('id', '=', row.id).execute()
    const subject = { kind: 'alert_source' as const, id: row.id }
    await call.audit(tx, { action: 'alert_source.removed', subject, detail: formOf(row) })
    return { success: true as const, message: say`“${row.name}” removed.` }
  }),
)

const moveCall = implement(transitionReceivedAlert, (call) =>
  call.inCompany(async (tx) => {
    const { context, company } = call
    const { receivedId, event } = call.body
    const row = await lockReceived(tx, company.id, receivedId)
    const actor = actorOf(call)
    if (event === 'release' && row.status === 'waiting') {
      const source = await findSource(tx, company.id, row.source_id)
      const { alertId, message } = await release(tx, { context, company, source, actor, by: staffKeyOf(call) }, row)
      return { success: true as const, message, alertId }
    }
    const { message } = await transition(tx, receivedStateStore, {
      ...{ scope: company.id, id: row.id, locked: lockedReceived(row), event, actor },
    })
    return { success: true as const, message, alertId: null }
  }),
)

export const sourceCalls = [...sourceLists, ...receivedLists, showCall, saveCall, removeCall, moveCall]
