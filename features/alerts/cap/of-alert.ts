import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { originOf } from '../../../server/config.ts'
import { changeRow } from '../../../server/db/rows.ts'
import type { Company } from '../../../server/hosts.ts'
import { FileRefused } from '../../../server/file-refused.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { parserOf } from '../../../server/parse.ts'
import type { Position } from '../../../shared/places.ts'
import { plural, say } from '../../../shared/messages.ts'
import type { Alert } from '../server/alerts.ts'
import { outlineOfArea } from '../server/audience.ts'
import { type Kind, PAST, READ_PATH } from '../rules.ts'
import { type CapAlert, type CapArea, type CapInfo, capTime, type Reference, vocabulary } from './message.ts'
import { roughly } from './polygons.ts'

const [ACTUAL] = vocabulary.status
const [PUBLIC] = vocabulary.scope

/** Returns the query for public alerts. Excludes alerts that go only to submitters of a form. */
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

export const companyOrigin = (context: AppContext, company: Company): string =>
  originOf(context.config, company.subdomain)
const senderOf = (context: AppContext, company: Company): string =>
  `alerts@${new URL(companyOrigin(context, company)).hostname}`

function referenceOf(context: AppContext, company: Company, { public_id, sent_at, cap }: Alert): Reference {
  const { sender, sent } = issuedOf(cap) ?? {
    sender: senderOf(context, company),
    sent: capTime(sent_at ?? new Date(0), company.timeZone),
  }
  return { sender, identifier: public_id, sent }
}

const issuedOf = (cap: Alert['cap']): CapAlert | null => cap as CapAlert | null

/** Returns the alerts that a follow-up changes: the first alert and its earlier follow-ups. */
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

/** Cache of simplified borders, which are slow to compute. The area of a sent alert never changes. */
const borders = new Map<string, Position[][]>()
const MAX_STORED = 500

/** Simplifies the borders. If the thread exceeds its limit, falls back to rough borders. */
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
  const areaText = alert.area_text || company.name
  return {
    areaDesc: holes === 0 ? areaText : say`${areaText}, excluding ${plural(holes, '# part', '# parts')} inside it`,
    ...{ polygons, circles: [], geocodes: [], altitude: null, ceiling: null },
  }
}

/**
 * Stores the CAP message of an alert when the alert is sent. The stored message stays the same, even if areas or the
 * municipality's name and phone change. A later follow-up is a separate message.
 */
export async function storeCap(context: AppContext, tx: Tx, company: Company, alert: Alert): Promise<void> {
  if (alert.cap !== null || alert.sent_at === null) return
  const cap = JSON.stringify(await capOf(context, tx, company, alert))
  await changeRow(tx, 'alert', company.id, alert.id, { cap })
}

/**
 * Returns an alert as a CAP 1.2 message, with an info block for each language. A sent alert returns its stored message.
 */
export async function capOf(context: AppContext, tx: Tx, company: Company, alert: Alert): Promise<CapAlert> {
  const issued = issuedOf(alert.cap)
  if (issued) return issued
  const changed = await changedBy(tx, company.id, alert)
  const area = await areaOf(tx, company, alert)
  const { public_id, kind, content } = alert
  const sentAt = alert.sent_at ?? new Date(0)
  const sent = capTime(sentAt, company.timeZone)
  // If an alert has already ended, its sending time is also its expiration.
  const expires = capTime(alert.expires_at < sentAt ? sentAt : alert.expires_at, company.timeZone)
  const hasEnded = kind === 'all_clear' || kind === 'cancel'
  const infoIn = (language: string, texts: typeof content.en): CapInfo => ({
    language,
    categories: [alert.category],
    event: alert.event,
    responseTypes: hasEnded ? ['AllClear'] : [],
    urgency: hasEnded ? PAST : alert.urgency,
    ...{ severity: alert.severity, certainty: alert.certainty },
    ...{ audience: '', eventCodes: [], effective: sent, onset: '', expires, senderName: company.name },
    ...{ headline: texts.headline, description: texts.description, instruction: texts.instruction },
    ...{ web: `${companyOrigin(context, company)}${READ_PATH}`, contact: company.phone, parameters: [], resources: [] },
    areas: [area],
  })
  return {
    identifier: public_id,
    ...{ sender: senderOf(context, company), sent, status: ACTUAL, msgType: msgTypes[kind], source: '' },
    ...{ scope: PUBLIC, restriction: '', addresses: '', codes: [], note: '', incidents: '' },
    references: changed.map((one) => referenceOf(context, company, one)),
    infos: [infoIn('en-US', content.en), ...(content.es ? [infoIn('es-US', content.es)] : [])],
  }
}
