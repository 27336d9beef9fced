import type { Selectable } from 'kysely'
import type { AlertArea, AlertTexts } from '../../../server/db/column-types.ts'
import { changeRow, rowFinderById } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { addressesIn, originOf } from '../../../server/places/at-point.ts'
import {
  recordCreation,
  type LockedEntity,
  defineStateStore,
  transition,
  type Transition,
  type TransitionActor,
} from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { EventOf, StateOf } from '../../../shared/machine.ts'
import type { Position } from '../../../shared/places.ts'
import { say } from '../../../shared/messages.ts'
import { type Category, isEmergency, ringAround, severities, type Severity } from '../rules.ts'
import { type Alert, ALERTS_TOPIC, bySystem, lockedAlert, alertStateStore, lockAlert } from '../server/alerts.ts'
import { addressesWithin } from '../server/audience.ts'
import { writeAlert } from '../server/follow.ts'
import { submitDraft } from '../server/submit.ts'
import { withoutHtml } from './decode.ts'
import { type CapAlert, type CapArea, type CapCircle, type CapInfo, vocabulary } from './message.ts'
import { receivedStates } from '../states.ts'

const [ALERT, , CANCEL] = vocabulary.msgType
const UNKNOWN = 'Unknown' satisfies Severity
const OTHER = 'Other' satisfies Category

export type Source = Selectable<Schema['alert_source']>
export type ReceivedAlertRow = Selectable<Schema['alert_received']>
type State = StateOf<typeof receivedStates>

const { lock: lockReceived } = rowFinderById('alert_received', () => notFound('This message was not found.'))
export { lockReceived }

interface LockedReceived extends LockedEntity<State> {
  row: ReceivedAlertRow
}
export const lockedReceived = (row: ReceivedAlertRow): LockedReceived => ({
  id: row.id,
  state: row.status,
  name: say`“${row.headline}”`,
  details: { headline: row.headline, identifier: row.identifier },
  row,
})

export const receivedStateStore = defineStateStore({
  machine: receivedStates,
  subject: 'received_alert',
  live: { topic: ALERTS_TOPIC },
  lock: async (tx, scope, id) => lockedReceived(await lockReceived(tx, scope as CompanyId, id)),
  write: (
    tx,
    {
      scope,
      locked,
      to,
      patch,
    }: Transition<
      State,
      EventOf<typeof receivedStates>,
      LockedReceived,
      { alert_id?: number | null; why?: ReceivedReason }
    >,
  ) => changeRow(tx, 'alert_received', scope, locked.id, { ...patch, status: to }),
})

const ranks = Object.keys(severities)
/** True if a severity is below the minimum. Always false for an unknown severity. */
const isLess = (severity: string, min: string): boolean =>
  severity !== 'Unknown' && min !== 'Unknown' && ranks.indexOf(severity) > ranks.indexOf(min)

const borderOf = ({ lat, lon, km }: CapCircle): Position[] => ringAround({ lat, lon }, km * 1000)

const bordersOf = ({ polygons, circles }: CapArea): Position[][] => [
  ...polygons,
  ...circles.filter(({ km }) => km > 0).map(borderOf),
]

/** Returns the info block to publish: English, or else the first. */
const mainInfo = ({ infos }: CapAlert): CapInfo | undefined =>
  infos.find(({ language }) => /^en/i.test(language)) ?? infos[0]

/**
 * True if the message concerns the company: it has one of the source's codes, or its border contains some of the
 * company's addresses. If the source has zones and the message has borders, a border must contain addresses in the
 * zones. In that case codes do not count, because they cover whole counties.
 */
async function isHere(tx: Tx, company: CompanyId, source: Source, areas: readonly CapArea[]): Promise<boolean> {
  const codes = source.codes
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter(Boolean)
  const borders = areas.flatMap(bordersOf)
  const isByZones = source.zone_ids.length > 0 && borders.length > 0
  const named = areas.some(({ geocodes }) => geocodes.some(({ value }) => codes.includes(value.toUpperCase())))
  if (named && !isByZones) return true
  // Without a border and without configured codes, every message of the feed counts as local.
  if (borders.length === 0) return codes.length === 0
  // Without a gazetteer, no address can be compared with the border.
  if ((await originOf(tx, company)) === null) return codes.length === 0
  const touched = await addressesWithin(
    tx,
    company,
    borders.map((border) => [border]),
  )
  if (!isByZones) return touched.length > 0
  const inZones = await Promise.all(source.zone_ids.map((zone) => addressesIn(tx, company, zone)))
  const meant = new Set(inZones.flat())
  return touched.some((address) => meant.has(address))
}

/** True if the source accepts this event, by its name or one of its codes. */
function matchesSource({ events }: Source, { event, eventCodes }: CapInfo): boolean {
  const sourceKinds = namesIn(events)
  return (
    sourceKinds.length === 0 ||
    [event, ...eventCodes.map(({ value }) => value)].some((kind) => sourceKinds.includes(nameOf(kind)))
  )
}
const nameOf = (text: string): string => text.trim().toLowerCase()
const namesIn = (list: string): string[] => list.split(/[,;]/).map(nameOf).filter(Boolean)

type ReceivedReason = ReceivedAlertRow['why']

/**
 * Returns the reason to leave out a message, or '' if staff should review it.
 * @param isUpdate True if it changes a released message. Its recipients get the change at any severity and location.
 */
async function filterReasonOf(
  tx: Tx,
  { context, company, source }: ImportContext,
  cap: CapAlert,
  isUpdate: boolean,
): Promise<ReceivedReason> {
  const { status, scope, msgType, infos } = cap
  if (status !== 'Actual' || scope !== 'Public' || msgType === 'Ack' || msgType === 'Error') return 'not_actual'
  // A cancellation may contain only the reference to the cancelled message, so it skips the other checks.
  if (msgType === 'Cancel') return isUpdate ? '' : 'unknown'
  if (infos.every(({ expires }) => new Date(expires) <= context.clock.now())) return 'expired'
  if (isUpdate) return ''
  if (!infos.some((info) => matchesSource(source, info))) return 'kind'
  if (infos.every(({ severity }) => isLess(severity, source.min_severity))) return 'minor'
  return (await isHere(
    tx,
    company.id,
    source,
    infos.flatMap(({ areas }) => areas),
  ))
    ? ''
    : 'elsewhere'
}

/** Locks and returns the received messages that a message refers to. */
async function changedBy(tx: Tx, company: CompanyId, { references }: CapAlert): Promise<ReceivedAlertRow[]> {
  if (references.length === 0) return []
  return tx
    .selectFrom('alert_received')
    .selectAll()
    .where('company_id', '=', company)
    .where((e) => e.or(references.map(({ sender, identifier }) => e.and({ sender, identifier }))))
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Converts external text to plain text of limited length, without HTML and angle brackets. */
const cut = (text: string, max: number): string => {
  const plain = withoutHtml(text.replaceAll(/\r\n?/g, '\n'))
    .replaceAll(/&(?:nbsp|#160|#xa0);/gi, ' ')
    .replaceAll(/&(?:#39|apos);/gi, '’')
    .replaceAll(/&(?:quot|#34);/gi, '"')
    .replaceAll(/&(?:lt|gt|#60|#62);/gi, '')
    .replaceAll(/&amp;/gi, '&')
    .replaceAll(/[<>]/g, '')
    .replaceAll(/[^\S\n]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return plain.length <= max ? plain : `${plain.slice(0, max - 1).trimEnd()}…`
}

function alertTextsOf(cap: CapAlert): AlertTexts {
  const infoTextOf = ({ headline, event, description, instruction }: CapInfo): AlertTexts['en'] => ({
    headline: cut(withoutHtml(headline || event).replaceAll(/\s+/g, ' '), 160).padEnd(5, '.'),
    description: cut(description, 2000),
    instruction: cut(instruction, 1000),
  })
  const main = mainInfo(cap)
  const spanish = cap.infos.find(({ language }) => /^es/i.test(language))
  const en = main
    ? infoTextOf(main)
    : { headline: say`Cancelled by ${cap.sender}`, description: cut(cap.note, 2000), instruction: '' }
  return { en, ...(spanish && spanish !== main && { es: infoTextOf(spanish) }) }
}

function areaOf(cap: CapAlert): { area: AlertArea; area_text: string } {
  const areas = mainInfo(cap)?.areas ?? []
  const borders = areas.flatMap(bordersOf)
  const areaText = cut(areas.map(({ areaDesc }) => areaDesc).join('; '), 300)
  return borders.length === 0
    ? { area: { kind: 'everyone' }, area_text: areaText }
    : { area: { kind: 'drawn', polygons: borders.map((border) => [border]) }, area_text: areaText }
}

const lastExpiry = ({ infos }: CapAlert): number => Math.max(0, ...infos.map(({ expires }) => Date.parse(expires)))

export interface ImportContext {
  context: AppContext
  company: Company
  source: Source
}

/**
 * Stores a received message once, even if several sources deliver it. If it changes messages that are still in review,
 * removes those from the review. If the source is automatic, the message is released immediately.
 */
export async function takeMessage(tx: Tx, { context, company, source }: ImportContext, cap: CapAlert): Promise<void> {
  const now = context.clock.now()
  const companyId = company.id
  const isChange = cap.msgType === 'Update' || cap.msgType === 'Cancel'
  const changedAlerts = isChange ? await changedBy(tx, companyId, cap) : []
  const hasReleased = changedAlerts.some(({ status }) => status === 'released')
  const why = await filterReasonOf(tx, { context, company, source }, cap, hasReleased)
  // A test message must not affect the messages that it refers to.
  const waited = why === 'not_actual' ? [] : changedAlerts.filter(({ status }) => status === 'waiting')
  const row = await tx
    .insertInto('alert_received')
    .values({
      ...{ company_id: companyId, source_id: source.id, sender: cap.sender, identifier: cap.identifier },
      message: JSON.stringify(cap),
      headline: alertTextsOf(cap).en.headline,
      msg_type: cap.msgType === 'Update' || cap.msgType === 'Cancel' ? cap.msgType : ALERT,
      severity: mainInfo(cap)?.severity ?? UNKNOWN,
      status: why === '' ? 'waiting' : 'filtered_out',
      why,
      sent_at: new Date(cap.sent),
      received_at: now,
    })
    .onConflict((on) => on.constraint('alert_received_once').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) return
  const actor = bySystem(context.clock)
  const detail = { headline: row.headline, source: source.name, ...(why && { why }) }
  await recordCreation(tx, receivedStateStore, {
    scope: companyId,
    id: row.id,
    event: why === '' ? 'receive' : 'filter_out',
    actor,
    detail,
  })
  for (const { id } of waited)
    await transition(tx, receivedStateStore, { scope: companyId, id, event: 'supersede', actor })
  if (why === '' && source.is_automatic) await release(tx, { context, company, source, actor, by: '' }, row)
}

/**
 * Processes the waiting messages of a source. Removes expired messages from the review. For an automatic source, also
 * releases each change that waited until the alert to be changed was sent.
 */
export async function processPending(tx: Tx, { context, company, source }: ImportContext): Promise<void> {
  const rows = await tx
    .selectFrom('alert_received')
    .selectAll()
    .where(({ and }) => and({ company_id: company.id, source_id: source.id, status: 'waiting' }))
    .orderBy('id')
    .forUpdate()
    .execute()
  const actor = bySystem(context.clock)
  for (const row of rows) {
    const cap = row.message as unknown as CapAlert
    if (row.msg_type !== CANCEL && lastExpiry(cap) <= context.clock.now().getTime()) {
      const moving = { scope: company.id, id: row.id, locked: lockedReceived(row), actor }
      await transition(tx, receivedStateStore, { ...moving, event: 'expire', patch: { why: 'expired' } })
      continue
    }
    if (!source.is_automatic || row.msg_type === ALERT) continue
    const changedAlerts = await changedBy(tx, company.id, cap)
    if (changedAlerts.some(({ status }) => status === 'released'))
      await release(tx, { context, company, source, actor, by: '' }, row)
  }
}

interface Releasing extends ImportContext {
  actor: TransitionActor
  /** Type and id of the staff member, or '' for automatic release. */
  by: string
}

/**
 * Releases a message. A new message becomes a draft for staff to review, or is submitted immediately if it is
 * automatic. A change becomes a follow-up to an active alert, stops an unsent alert, or waits while the alert is being
 * sent.
 */
export async function release(
  tx: Tx,
  taking: Releasing,
  row: ReceivedAlertRow,
): Promise<{ alertId: number | null; message: string }> {
  const { context, company, actor, by } = taking
  const companyId = company.id
  const cap = row.message as unknown as CapAlert
  const first = await lockFirstAlert(tx, taking, cap)
  if (first?.status === 'sending') {
    if (actor.as === 'system') return { alertId: null, message: '' }
    throw conflict('still_leaving', say`The alert that this message changes is being sent. Try again in a minute.`)
  }
  const done = (alert_id: number | null) =>
    transition(tx, receivedStateStore, {
      scope: companyId,
      id: row.id,
      locked: lockedReceived(row),
      event: 'release',
      actor,
      patch: { alert_id },
    })
  const inForce = first !== null && (first.status === 'sent' || first.status === 'updated')
  if (row.msg_type === 'Cancel') {
    if (!inForce) {
      await done(first?.id ?? null)
      return {
        alertId: first?.id ?? null,
        message: first
          ? first.status === 'draft'
            ? say`Alert ${first.number} is a draft that no one has received, so no cancellation was sent.`
            : say`Alert ${first.number} is not active, so no one was notified.`
          : say`The alert that this message cancels no longer exists.`,
      }
    }
    const alertTexts = alertTextsOf(cap)
    const { id, number } = await writeAlert(tx, { context, company, actor }, first, {
      ...{ kind: 'cancel', content: alertTexts, expires_at: first.expires_at, severity: first.severity, by },
    })
    await done(id)
    return { alertId: id, message: say`Alert ${number} will cancel alert ${first.number}.` }
  }
  const expires_at = new Date(lastExpiry(cap))
  if (expires_at <= context.clock.now()) throw conflict('expired', say`This message has expired.`)
  const { severity } = row
  if (row.msg_type === 'Update' && inForce) {
    const change = { kind: 'update' as const, content: alertTextsOf(cap), expires_at, severity, by }
    const { id, number, waits } = await writeAlert(tx, { context, company, actor }, first, change)
    await done(id)
    return {
      alertId: id,
      message: waits
        ? say`Alert ${number} is awaiting approval.`
        : say`Alert ${number} will go to the recipients of alert ${first.number}.`,
    }
  }
  const alert = await writeFirst(tx, taking, cap, expires_at)
  await done(alert.id)
  if (actor.as === 'system') await submitDraft(tx, { context, company, actor }, alert, { by })
  return { alertId: alert.id, message: say`Draft alert ${alert.number} created. Review and send it.` }
}

/**
 * Returns the alert that was created from the messages that this message changes. If that alert was not sent yet, it
 * becomes a draft again.
 */
async function lockFirstAlert(tx: Tx, { company, actor }: Releasing, cap: CapAlert): Promise<Alert | null> {
  const companyId = company.id
  if (cap.msgType !== 'Update' && cap.msgType !== 'Cancel') return null
  let first: number | null = null
  for (const { alert_id } of await changedBy(tx, companyId, cap)) {
    if (alert_id === null) continue
    const alert = await lockAlert(tx, companyId, alert_id)
    const moving = { scope: companyId, id: alert_id, locked: lockedAlert(alert), actor }
    if (alert.status === 'waiting')
      await transition(tx, alertStateStore, {
        ...{ ...moving, event: 'return_to_author' },
        reason: say`The sender changed or cancelled the message.`,
      })
    if (alert.status === 'scheduled') await transition(tx, alertStateStore, { ...moving, event: 'withdraw' })
    first = alert.about_id ?? alert.id
  }
  return first === null ? null : lockAlert(tx, companyId, first)
}

/** True if an automatic alert may call people. Only emergencies may, because a call can wake people. */
async function callsFor(tx: Tx, company: CompanyId, service: number, severity: Severity): Promise<boolean> {
  const { type } = await tx
    .selectFrom('alert_service')
    .select('type')
    .where('company_id', '=', company)
    .where('id', '=', service)
    .executeTakeFirstOrThrow()
  return isEmergency(type, severity)
}

async function writeFirst(
  tx: Tx,
  { context, company, source, actor }: Releasing,
  cap: CapAlert,
  expires_at: Date,
): Promise<Alert> {
  const main = mainInfo(cap)
  if (!main) throw conflict('no_info', say`This message has no content.`)
  const now = context.clock.now()
  const { area, area_text } = areaOf(cap)
  const alertTexts = alertTextsOf(cap)
  const { id, number } = await tx
    .insertInto('alert')
    .values({
      ...{ company_id: company.id, status: 'draft', service_id: source.service_id, event: cut(main.event, 60) },
      category: main.categories[0] ?? OTHER,
      ...{ urgency: main.urgency, severity: main.severity, certainty: main.certainty },
      by_call: await callsFor(tx, company.id, source.service_id, main.severity),
      ...{ content: JSON.stringify(alertTexts), area: JSON.stringify(area), area_text },
      ...{ expires_at, created_at: now, edited_at: now },
    })
    .returning(['id', 'number'])
    .executeTakeFirstOrThrow()
  const detail = { headline: alertTexts.en.headline, from: source.name, identifier: cap.identifier }
  await recordCreation(tx, alertStateStore, { scope: company.id, id, number, event: 'write', actor, detail })
  return lockAlert(tx, company.id, id)
}
