import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { originOf } from '../../../server/config.ts'
import { changeRow } from '../../../server/db/rows.ts'
import type { Company } from '../../../server/hosts.ts'
import { FileRefused } from '../../../server/file-refused.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { parserOf } from '../../../server/parse.ts'
import type { Position } from '../../../shared/places.ts'
import { plural, say } from '../../../shared/words.ts'
import type { Alert } from '../server/alerts.ts'
import { outlineOfArea } from '../server/audience.ts'
import { type Kind, PAST, READ_PATH } from '../rules.ts'
import { type CapAlert, type CapArea, type CapInfo, capTime, type Reference, vocabulary } from './message.ts'
import { roughly } from './polygons.ts'

const [ACTUAL] = vocabulary.status
const [PUBLIC] = vocabulary.scope

/** What the public gets of an alert: those that are on the town's pages, and no such as only go to whoever sent a form. */
export const publicAlertsOf = (tx: Tx, company: CompanyId) =>
  tx
    .selectFrom('alert')
    .selectAll()
    .where('company_id', '=', company)
    .where('sent_at', 'is not', null)
    .where('on_pages', '=', true)
    .where((e) => e(e.ref('area', '->>').key('kind'), '<>', 'form'))

const msgTypes = { alert: 'Alert', update: 'Update', cancel: 'Cancel', all_clear: 'Update' } as const satisfies Record<
  Kind,
  CapAlert['msgType']
>

export const townOrigin = (context: AppContext, company: Company): string => originOf(context.config, company.subdomain)
const senderOf = (context: AppContext, company: Company): string =>
  `alerts@${new URL(townOrigin(context, company)).hostname}`

function referenceOf(context: AppContext, company: Company, { public_id, sent_at, cap }: Alert): Reference {
  const { sender, sent } = issuedOf(cap) ?? {
    sender: senderOf(context, company),
    sent: capTime(sent_at ?? new Date(0), company.timeZone),
  }
  return { sender, identifier: public_id, sent }
}

const issuedOf = (cap: Alert['cap']): CapAlert | null => cap as CapAlert | null

/** Those which an alert changes: the first one, and the news of it that came before. */
async function changedBy(tx: Tx, company: CompanyId, { id, about_id }: Alert): Promise<Alert[]> {
  if (about_id === null) return []
  return tx
    .selectFrom('alert')
    .selectAll()
    .where('company_id', '=', company)
    .where((e) => e.or([e('id', '=', about_id), e('about_id', '=', about_id)]))
    .where('sent_at', 'is not', null)
    .where('id', '<', id)
    .orderBy('id')
    .execute()
}

const simplifiedAll = parserOf<[borders: Position[][]], Position[][]>(
  new URL('polygons.ts', import.meta.url),
  'simplifiedAll',
)

/** Borders with few corners take a while; an alert that was sent keeps its area. */
const borders = new Map<string, Position[][]>()
const MAX_STORED = 500

/** Where the thread reaches its limit, a border with less likeness does. */
async function fewCorners(company: Company, outline: readonly Position[][][]): Promise<Position[][]> {
  const outer = outline.map(([border = []]) => border)
  return simplifiedAll(String(company.id), outer).catch((error: unknown) => {
    if (error instanceof FileRefused) return outer.map(roughly)
    throw error
  })
}

async function areaOf(tx: Tx, company: Company, alert: Alert): Promise<CapArea> {
  const outline = await outlineOfArea(tx, company.id, alert.area)
  const key = `${company.id}/${alert.id}/${alert.edited_at.getTime()}`
  const polygons = borders.get(key) ?? (await fewCorners(company, outline))
  borders.set(key, polygons)
  for (const oldest of borders.keys()) {
    if (borders.size <= MAX_STORED) break
    borders.delete(oldest)
  }
  const holes = outline.reduce((sum, [, ...inner]) => sum + inner.length, 0)
  const words = alert.area_words || company.name
  return {
    areaDesc: holes === 0 ? words : say`${words}, without ${plural(holes, '# part', '# parts')} in the middle of it`,
    ...{ polygons, circles: [], geocodes: [], altitude: null, ceiling: null },
  }
}

/**
 * Keeps the message of an alert that is being sent. A message of CAP never changes: later news is a message of its own, and
 * also areas and the municipality's name and phone change.
 */
export async function keepCap(context: AppContext, tx: Tx, company: Company, alert: Alert): Promise<void> {
  if (alert.cap !== null || alert.sent_at === null) return
  const cap = JSON.stringify(await capOf(context, tx, company, alert))
  await changeRow(tx, 'alert', company.id, alert.id, { cap })
}

/** An alert as a message of CAP 1.2, with an info for each language: as it was sent, or as it would be sent now. */
export async function capOf(context: AppContext, tx: Tx, company: Company, alert: Alert): Promise<CapAlert> {
  const issued = issuedOf(alert.cap)
  if (issued) return issued
  const changed = await changedBy(tx, company.id, alert)
  const area = await areaOf(tx, company, alert)
  const { public_id, kind, words } = alert
  const sentAt = alert.sent_at ?? new Date(0)
  const sent = capTime(sentAt, company.timeZone)
  // What is over by now was for a moment at least.
  const expires = capTime(alert.expires_at < sentAt ? sentAt : alert.expires_at, company.timeZone)
  const isOver = kind === 'all_clear' || kind === 'cancel'
  const infoIn = (language: string, said: typeof words.en): CapInfo => ({
    language,
    categories: [alert.category],
    event: alert.event,
    responseTypes: isOver ? ['AllClear'] : [],
    urgency: isOver ? PAST : alert.urgency,
    ...{ severity: alert.severity, certainty: alert.certainty },
    ...{ audience: '', eventCodes: [], effective: sent, onset: '', expires, senderName: company.name },
    ...{ headline: said.headline, description: said.description, instruction: said.instruction },
    ...{ web: `${townOrigin(context, company)}${READ_PATH}`, contact: company.phone, parameters: [], resources: [] },
    areas: [area],
  })
  return {
    identifier: public_id,
    ...{ sender: senderOf(context, company), sent, status: ACTUAL, msgType: msgTypes[kind], source: '' },
    ...{ scope: PUBLIC, restriction: '', addresses: '', codes: [], note: '', incidents: '' },
    references: changed.map((one) => referenceOf(context, company, one)),
    infos: [infoIn('en-US', words.en), ...(words.es ? [infoIn('es-US', words.es)] : [])],
  }
}
