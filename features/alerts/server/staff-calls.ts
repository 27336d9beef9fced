import { sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import type { AlertArea } from '../../../server/db/column-types.ts'
import { changeRow, storeSettings } from '../../../server/db/rows.ts'
import { editBy, mergeEdit, noteChanges } from '../../../server/edits.ts'
import { conflict, type Refusal, rejected } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { WrongRow } from '../../../server/imports.ts'
import type { NoticeSender } from '../../../server/notices/notice.ts'
import { placeOf } from '../../../server/notices/notify.ts'
import { originOf } from '../../../server/places/at-point.ts'
import { planeAt } from '../../../shared/plane.ts'
import { polygonsOf, readGeometry } from '../../../server/places/rings.ts'
import { queueSms } from '../../../server/sms/queue.ts'
import { readSmsSettings, textName } from '../../../server/sms/settings.ts'
import { readyToSend } from '../../../server/sms/words.ts'
import { recordCreation, loadHistory, transition, type TransitionActor, actorOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { queueCalls } from '../../../server/voice/queue.ts'
import { offersCalls } from '../../../server/voice/settings.ts'
import { minutesOf, secondsOfCall } from '../../../server/voice/words.ts'
import { dateIn, instantAt, timeIn } from '../../../shared/dates.ts'
import { same } from '../../../shared/edits.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { plural, say } from '../../../shared/words.ts'
import {
  alertEditor,
  alertEvents,
  type AlertForm,
  alertForm,
  countAudience,
  followAlert,
  moveAlert,
  removeAlert,
  saveAlert,
  saveAlertServices,
  saveAlertSettings,
  showAlert,
  submitAlert,
  testAlert,
  writeAlert,
} from '../contract-staff.ts'
import {
  type AlertText,
  type AlertTexts,
  blankIn,
  type Channel,
  type DeliveryState,
  PAST,
  USUAL_SECOND_PERSON_OVER,
} from '../rules.ts'
import type { ServiceNames } from '../contract-settings.ts'
import { alertStates } from '../states.ts'
import { type Alert, ALERTS_TOPIC, findAlert, lockedAlert, alertStateStore, lockAlert } from './alerts.ts'
import { ALERT_EVENT, countOf, nameOfPolygons, outlineOfArea, sampleOf } from './audience.ts'
import { callText, mailOf, smsText } from './emails.ts'
import { SEND_ALERTS } from './send.ts'
import { storeServices, readServices } from './services.ts'
import { inOrder, listZones, zoneNames } from './zones.ts'

/** Formats an instant in the company's time zone, as a form shows it. */
const companyTime = (timeZone: string, at: Date | null): string =>
  at === null ? '' : `${dateIn(timeZone, at)}T${timeIn(timeZone, at)}`
const instantOf = (timeZone: string, local: string): Date | null =>
  local === '' ? null : instantAt(timeZone, local.slice(0, 10), local.slice(11))

const nothing: AlertText = { headline: '', description: '', instruction: '' }
const textsOf = ({ en, es }: Pick<AlertForm, 'en' | 'es'>): AlertTexts => (es.headline === '' ? { en } : { en, es })

const areaOf = ({ kind, zoneIds, polygons, routes, formTypeId }: AlertForm['area']): AlertArea => {
  switch (kind) {
    case 'zones':
      return { kind, zoneIds: inOrder(zoneIds) }
    case 'drawn':
      return { kind, polygons }
    case 'routes':
      return { kind, routes: [...new Set(routes)].toSorted() }
    case 'form':
      return { kind, formTypeId: Number(formTypeId) }
    default:
      return { kind }
  }
}
const noArea: AlertForm['area'] = { kind: 'everyone', zoneIds: [], polygons: [], routes: [], formTypeId: '' }
const areaFormOf = (area: AlertArea): AlertForm['area'] => {
  switch (area.kind) {
    case 'zones':
      return { ...noArea, kind: 'zones', zoneIds: area.zoneIds }
    case 'drawn':
      return { ...noArea, kind: 'drawn', polygons: area.polygons }
    case 'routes':
      return { ...noArea, kind: 'routes', routes: area.routes }
    case 'form':
      return { ...noArea, kind: 'form', formTypeId: String(area.formTypeId) }
    default:
      return noArea
  }
}

const formOf = (row: Alert, timeZone: string): AlertForm => ({
  serviceId: String(row.service_id),
  event: row.event,
  category: row.category,
  severity: row.severity,
  urgency: row.urgency,
  certainty: row.certainty,
  en: row.content.en,
  es: row.content.es ?? nothing,
  byEmail: row.by_email,
  byText: row.by_sms,
  byCall: row.by_call,
  onPages: row.on_pages,
  area: areaFormOf(row.area),
  sendAt: companyTime(timeZone, row.send_at),
  expiresAt: companyTime(timeZone, row.expires_at),
})

/** Describes an area in words. Refuses deleted choices and impossible borders. */
async function areaTextOf(tx: Tx, company: CompanyId, area: AlertArea): Promise<string> {
  switch (area.kind) {
    case 'zones':
      return (await zoneNames(tx, company, area.zoneIds, 'area.zoneIds')).join(', ')
    case 'drawn': {
      const origin = await originOf(tx, company)
      try {
        const geometry = readGeometry({ type: 'MultiPolygon', coordinates: area.polygons })
        polygonsOf(geometry, origin && planeAt(origin))
      } catch (error) {
        if (error instanceof WrongRow) throw rejected(error.message, { 'area.polygons': error.message })
        throw error
      }
      return nameOfPolygons(tx, company, area.polygons)
    }
    case 'routes':
      return say`Accounts of the ${plural(area.routes.length, 'route', 'routes')} ${area.routes.join(', ')}`
    case 'form': {
      const found = await tx
        .selectFrom('form_type')
        .select('title')
        .where('company_id', '=', company)
        .where('id', '=', area.formTypeId)
        .executeTakeFirst()
      const gone = say`This form is gone. Choose another one.`
      if (!found) throw rejected(gone, { 'area.formTypeId': gone })
      return say`Those who sent “${found.title}”`
    }
    default:
      return ''
  }
}

/** `kept` is the saved alert. Its service can be inactive, and its area can have an external description. */
async function rowOf(tx: Tx, call: Call, form: AlertForm, stored?: Alert) {
  const { id: company, timeZone } = call.company
  // An external description stays until staff draw another area.
  const unchanged = stored?.area.kind === 'drawn' && same(form.area, areaFormOf(stored.area)) ? stored : null
  const area = areaOf(form.area)
  const service = await tx
    .selectFrom('alert_service')
    .select('id')
    .where('company_id', '=', company)
    .where('id', '=', Number(form.serviceId))
    .where(({ eb, or }) => or([eb('is_active', '=', true), eb('id', '=', stored?.service_id ?? 0)]))
    .executeTakeFirst()
  const gone = say`This service is gone. Choose another one.`
  if (!service) throw rejected(gone, { serviceId: gone })
  const now = call.context.clock.now()
  const sendAt = instantOf(timeZone, form.sendAt)
  const late = say`This time is over. Leave it empty to send the alert at once.`
  if (sendAt !== null && sendAt <= now) throw rejected(late, { sendAt: late })
  return {
    service_id: service.id,
    event: form.event,
    category: form.category,
    severity: form.severity,
    urgency: form.urgency,
    certainty: form.certainty,
    content: JSON.stringify(textsOf(form)),
    by_email: form.byEmail,
    by_sms: form.byText,
    by_call: form.byCall,
    on_pages: form.onPages,
    area: JSON.stringify(area),
    area_text: unchanged?.area_text ?? (await areaTextOf(tx, company, area)),
    send_at: sendAt,
    expires_at: instantOf(timeZone, form.expiresAt) ?? now,
    edited_at: now,
  }
}

/** Returns the key of a staff member: kind of staff and person id. */
export const keyOf = (call: Call): string => {
  const { kind, personId } = signedIn(call)
  return `${kind}:${personId}`
}

async function secondPersonOver(tx: Tx, company: CompanyId): Promise<number> {
  const row = await tx
    .selectFrom('alert_settings')
    .select('approval_over')
    .where('company_id', '=', company)
    .executeTakeFirst()
  return row?.approval_over ?? USUAL_SECOND_PERSON_OVER
}

/** Returns the audience: for news the recipients of the first alert, else the people in the area. */
async function audienceOf(tx: Tx, company: CompanyId, row: Alert) {
  if (row.about_id === null)
    return { counted: await countOf(tx, company, row), sample: await sampleOf(tx, company, row) }
  type Counts = Record<'people' | 'email' | 'text' | 'textSpanish' | 'call', number>
  const { rows } = await sql<Counts>`
    SELECT count(DISTINCT person_id)::int AS people, count(*) FILTER (WHERE channel = 'email')::int AS email,
      count(*) FILTER (WHERE channel = 'text')::int AS text,
      count(*) FILTER (WHERE channel = 'text' AND language = 'es')::int AS "textSpanish", count(*) FILTER (WHERE channel = 'call')::int AS call
    FROM alert_delivery WHERE company_id = ${company} AND alert_id = ${row.about_id} AND state IN ('waiting', 'sent', 'delivered', 'unclear')`.execute(
    tx,
  )
  const { people = 0, email = 0, text = 0, textSpanish = 0, call = 0 } = rows[0] ?? {}
  return {
    counted: { inArea: people, people, email, text, textSpanish, call, unwanted: 0, unreachable: 0 },
    sample: [],
  }
}

/** A cancellation or an all-clear ends an alarm, so it needs no approver. */
function secondPersonFor(row: Alert, people: number, over: number): '' | 'severity' | 'people' {
  if (row.kind === 'cancel' || row.kind === 'all_clear') return ''
  return row.severity === 'Extreme' ? 'severity' : people > over ? 'people' : ''
}

/** Returns the texts and calls in each language, with their billed units. */
function previewTexts(row: Alert, { at, name }: { at: NoticeSender; name: string }) {
  const languages = row.content.es ? (['en', 'es'] as const) : (['en'] as const)
  return {
    texts: languages.map((language) => ({ language, ...readyToSend(`${name}: ${smsText(row, at, language)}`) })),
    calls: languages.map((language) => {
      const spoken = callText(row, name, language)
      const seconds = secondsOfCall(spoken, name)
      return { language, said: spoken.text, seconds, minutes: minutesOf(seconds) }
    }),
  }
}

const showCall = implement(showAlert, (call) =>
  call.reading(async (tx) => {
    const { company, context, body } = call
    const session = signedIn(call)
    const { privileges } = session
    const row = await findAlert(tx, company.id, body.alertId)
    const first = row.about_id === null ? null : await findAlert(tx, company.id, row.about_id)
    const { name } = await tx
      .selectFrom('alert_service')
      .select('name')
      .where('company_id', '=', company.id)
      .where('id', '=', row.service_id)
      .executeTakeFirstOrThrow()
    const news = await tx
      .selectFrom('alert')
      .select(['id', 'number', 'kind', 'status'])
      .where('company_id', '=', company.id)
      .where('about_id', '=', row.id)
      .orderBy('id')
      .execute()
    const { rows: tallies } = await sql<{ channel: Channel; state: DeliveryState; count: number }>`
      SELECT channel, state, count(*)::int AS count FROM alert_delivery
      WHERE company_id = ${company.id} AND alert_id = ${row.id} GROUP BY 1, 2 ORDER BY 1, 2`.execute(tx)
    const at = placeOf(context, company)
    const settings = await readSmsSettings(tx, company.id)
    const { texts, calls } = previewTexts(row, { at, name: textName(company, settings) })
    const edit = may(privileges, 'communication_management', 'update')
    const isOwn = row.submitted_by === keyOf(call)
    const buttons = buttonsFrom(alertStates, row.status, { as: 'staff', privileges })
    return {
      form: formOf(row, company.timeZone),
      number: row.number,
      kind: row.kind,
      status: row.status,
      service: name,
      areaWords: row.area_text,
      outline: await outlineOfArea(tx, company.id, row.area),
      about: first && { id: first.id, number: first.number, headline: first.content.en.headline },
      news,
      sentAt: row.sent_at?.toISOString() ?? null,
      expiresAt: row.expires_at.toISOString(),
      sendAt: row.send_at?.toISOString() ?? null,
      people: row.people,
      texts: row.by_sms ? texts : [],
      calls: row.by_call ? calls : [],
      tallies,
      history: await loadHistory(tx, alertStates, company.id, row.id),
      can: {
        ...buttons,
        approve: buttons.approve && !isOwn,
        edit: edit && row.status === 'draft',
        remove: edit && row.status === 'draft',
        submit: edit && row.status === 'draft',
        follow: edit && row.kind === 'alert' && (row.status === 'sent' || row.status === 'updated'),
        test: edit && session.kind === 'municipality' && row.status === 'draft',
      },
      isOwn,
      hindrance: row.status === 'draft' ? (hindranceOf(row, context.clock.now())?.message ?? '') : '',
    }
  }),
)

const writeCall = implement(writeAlert, (call) =>
  call.inCompany(async (tx) => {
    const company = call.company.id
    const now = call.context.clock.now()
    const { id, number } = await tx
      .insertInto('alert')
      .values({ ...(await rowOf(tx, call, call.body.form)), company_id: company, status: 'draft', created_at: now })
      .returning(['id', 'number'])
      .executeTakeFirstOrThrow()
    const detail = { headline: call.body.form.en.headline }
    await recordCreation(tx, alertStateStore, {
      scope: company,
      id,
      number,
      event: 'write',
      actor: actorOf(call),
      detail,
    })
    return { success: true as const, message: say`Alert ${number} is begun as a draft.`, alertId: id }
  }),
)

/**
 * Locks a draft.
 * @throws 409 if the alert is not a draft
 */
async function lockDraft(tx: Tx, company: CompanyId, id: number): Promise<Alert> {
  const row = await lockAlert(tx, company, id)
  if (row.status !== 'draft')
    throw conflict('wrong_status', say`Alert ${row.number} is no draft any more, so it can't be changed.`)
  return row
}

/** Returns both versions in words if an edit conflict covers several fields: the text of a language, or the area. */
function editSideText(
  field: string,
  { theirs, mine }: Record<'theirs' | 'mine', AlertText>,
  areas: Record<'theirs' | 'mine', string>,
) {
  if (field === 'area') return { label: say`For whom`, words: areas }
  if (field !== 'en' && field !== 'es') return {}
  const label = field === 'en' ? say`In English` : say`In Spanish`
  const lines = (of: AlertText) => [of.headline, of.description, of.instruction].filter(Boolean).join('\n')
  return { label, words: { theirs: lines(theirs), mine: lines(mine) } }
}

const saveCall = implement(saveAlert, (call) => {
  const { alertId, form: mine, basis } = call.body
  const { id: company, timeZone } = call.company
  return call.inCompany(async (tx) => {
    const row = await lockDraft(tx, company, alertId)
    const before = formOf(row, timeZone)
    const edit = editBy(tx, call, `alert ${alertId}`)
    const areas = {
      theirs: row.area_text || say`Everybody`,
      mine: (await areaTextOf(tx, company, areaOf(mine.area))) || say`Everybody`,
    }
    const after = await mergeEdit<AlertForm>(edit, {
      ...{ basis, own: mine, now: { ...before } },
      wordsOf: (field, others, own) =>
        editSideText(field, { theirs: others as AlertText, mine: own as AlertText }, areas),
    })
    const judged = alertForm.safeParse(after)
    if (!judged.success) {
      const [issue] = judged.error.issues
      throw rejected(issue?.message ?? '', { [issue?.path.join('.') ?? '']: issue?.message ?? '' })
    }
    if (!same(before, after)) {
      await changeRow(tx, 'alert', company, alertId, await rowOf(tx, call, after, row))
      await noteChanges(edit, { ...before }, { ...after })
      await call.audit(tx, {
        action: 'alert.changed',
        subject: { kind: 'alert', id: row.number },
        detail: { before, after },
      })
    }
    return { success: true as const, message: say`Alert ${row.number} is saved.` }
  })
})

const removeCall = implement(removeAlert, (call) =>
  call.inCompany(async (tx) => {
    const company = call.company.id
    const row = await lockDraft(tx, company, call.body.alertId)
    // Received messages of this alert stay, without a link to it.
    await tx
      .updateTable('alert_received')
      .set({ alert_id: null })
      .where('company_id', '=', company)
      .where('alert_id', '=', row.id)
      .execute()
    await tx.deleteFrom('alert').where('company_id', '=', company).where('id', '=', row.id).execute()
    await call.audit(tx, {
      action: 'alert.removed',
      subject: { kind: 'alert', id: row.number },
      detail: { headline: row.content.en.headline },
    })
    return { success: true as const, message: say`Alert ${row.number} is removed.` }
  }),
)

const countCall = implement(countAudience, (call) =>
  call.reading(async (tx) => {
    const company = call.company.id
    const row = await findAlert(tx, company, call.body.alertId)
    const over = await secondPersonOver(tx, company)
    const { counted, sample } = await audienceOf(tx, company, row)
    const name = textName(call.company, await readSmsSettings(tx, company))
    const { texts, calls } = previewTexts(row, { at: placeOf(call.context, call.company), name })
    const cost = {
      segments: segmentsOf(texts, counted),
      minutes: counted.call * Math.max(...calls.map(({ minutes }) => minutes)),
    }
    return { counted, sample, cost, secondPerson: secondPersonFor(row, counted.people, over), over }
  }),
)

/** Counts the segments of all texts. Each phone gets one language. Without Spanish text, all phones get English. */
function segmentsOf(
  texts: readonly { language: 'en' | 'es'; segments: number }[],
  { text, textSpanish }: { text: number; textSpanish: number },
): number {
  const of = (requestedLanguage: 'en' | 'es') =>
    texts.find(({ language }) => language === requestedLanguage)?.segments ?? 0
  const spanish = of('es') === 0 ? 0 : textSpanish
  return (text - spanish) * of('en') + spanish * of('es')
}

/** Returns the maximum audience at sending. Some people may have joined since staff saw the count. */
const mayHaveGrownTo = (people: number): number => Math.ceil(people * 1.1) + 10

/** Templates have placeholders. A sent “[place] is closed” would be useless. */
function blankLeft(texts: AlertTexts): Refusal | null {
  const blank = blankIn(texts)
  if (blank === undefined) return null
  return conflict('blank_left', say`Fill in ${blank} first: it still stands in square brackets in the words.`)
}

/** Returns the reason that a draft can't be sent. Its panel shows it before staff submit. */
function hindranceOf(row: Alert, now: Date): Refusal | null {
  if (row.expires_at > now && (row.send_at === null || row.expires_at > row.send_at)) return blankLeft(row.content)
  const over = say`It would be over before it is sent. Choose a later end.`
  return rejected(over, { expiresAt: over })
}

const submitCall = implement(submitAlert, (call) =>
  call.inCompany(async (tx) => {
    const { context, company } = call
    const now = context.clock.now()
    const row = await lockDraft(tx, company.id, call.body.alertId)
    const hindrance = hindranceOf(row, now)
    if (hindrance) throw hindrance
    const { counted } = await audienceOf(tx, company.id, row)
    if (counted.people > mayHaveGrownTo(call.body.people))
      throw conflict('audience_grew', say`It would reach ${counted.people} people by now. Look at the count again.`)
    const waits = secondPersonFor(row, counted.people, await secondPersonOver(tx, company.id)) !== ''
    await transition(tx, alertStateStore, {
      ...{ scope: company.id, id: row.id, locked: lockedAlert(row), event: 'submit', actor: actorOf(call) },
      to: waits ? 'waiting' : 'scheduled',
      patch: { submitted_by: keyOf(call), people: counted.people },
    })
    if (!waits) await enqueue(tx, call.context, row)
    return {
      success: true as const,
      message: waits
        ? say`Alert ${row.number} waits for a second person to approve it.`
        : row.send_at !== null && row.send_at > now
          ? say`Alert ${row.number} is scheduled.`
          : say`Alert ${row.number} is being sent.`,
    }
  }),
)

const enqueue = (tx: Tx, context: AppContext, { send_at }: Pick<Alert, 'send_at'>): Promise<void> =>
  context.jobs.enqueue(tx, SEND_ALERTS, {}, send_at === null ? {} : { after: send_at })

const moveCall = implement(moveAlert, (call) => {
  const { alertId, event, reason } = call.body
  const companyId = call.company.id
  return call.inCompany(async (tx) => {
    const row = await lockAlert(tx, companyId, alertId)
    if (event === 'approve' && row.submitted_by === keyOf(call))
      throw conflict('own_alert', say`You sent alert ${row.number} yourself. Somebody else has to approve it.`)
    const { message } = await transition(tx, alertStateStore, {
      ...{ scope: companyId, id: alertId, locked: lockedAlert(row), event, actor: actorOf(call), reason },
      ...(event !== 'approve' && { patch: { submitted_by: '' } }),
    })
    if (event === 'approve') await enqueue(tx, call.context, row)
    return { success: true as const, message }
  })
})

const testCall = implement(testAlert, (call) =>
  call.inCompany(async (tx) => {
    const { context, company } = call
    const { personId, email, kind } = signedIn(call)
    if (kind !== 'municipality') throw conflict('no_mailbox', say`Tests go to the town's own staff.`)
    const row = await findAlert(tx, company.id, call.body.alertId)
    const at = placeOf(context, company)
    for (const language of row.content.es ? (['en', 'es'] as const) : (['en'] as const))
      await context.mailer.send(tx, company.id, mailOf(context, at, row, email, language, true))
    const phone = await tx
      .selectFrom('sms_number')
      .select('phone')
      .where('company_id', '=', company.id)
      .where('person_id', '=', personId)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst()
    if (phone) {
      const sms = { company, person: personId, phone: phone.phone, event: ALERT_EVENT, kind: 'account' as const }
      await queueSms(tx, context, { ...sms, body: smsText(row, at, 'en', true) }, await readSmsSettings(tx, company.id))
    }
    const line = await tx
      .selectFrom('voice_number')
      .select('phone')
      .where('company_id', '=', company.id)
      .where('person_id', '=', personId)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst()
    if (line) {
      const settings = await readSmsSettings(tx, company.id)
      const spokenTexts = [callText(row, textName(company, settings), 'en', true)]
      const about = { company, event: ALERT_EVENT, kind: 'account' as const }
      await queueCalls(tx, context, about, [{ person: personId, phone: line.phone, content: spokenTexts }], settings)
    }
    await call.audit(tx, { action: 'alert.tested', subject: { kind: 'alert', id: row.number }, detail: { to: email } })
    return { success: true as const, message: say`A test is on its way to ${email}.` }
  }),
)

interface AlertChange {
  kind: 'update' | 'cancel' | 'all_clear'
  content: AlertTexts
  expires_at: Date
  severity: Alert['severity']
  /** Staff kind and person, or ''. */
  by: string
}

/** Company of the alerts, and the author. */
interface Writer extends Pick<Call, 'context' | 'company'> {
  actor: TransitionActor
}

/**
 * Creates news of an alert in force and submits it.
 * @returns its number, and true if it awaits approval
 */
export async function writeNews(tx: Tx, { context, company, actor }: Writer, first: Alert, news: AlertChange) {
  const now = context.clock.now()
  const { service_id, event, category, certainty, by_email, by_sms, by_call, on_pages } = first
  const { id, number } = await tx
    .insertInto('alert')
    .values({
      ...{ service_id, event, category, certainty, by_email, by_sms, by_call, on_pages, expires_at: news.expires_at },
      severity: news.severity,
      urgency: news.kind === 'update' ? first.urgency : PAST,
      company_id: company.id,
      status: 'draft',
      kind: news.kind,
      about_id: first.id,
      content: JSON.stringify(news.content),
      area: JSON.stringify(first.area),
      area_text: first.area_text,
      created_at: now,
      edited_at: now,
    })
    .returning(['id', 'number'])
    .executeTakeFirstOrThrow()
  const detail = { about: first.number, kind: news.kind, headline: news.content.en.headline }
  await recordCreation(tx, alertStateStore, { scope: company.id, id, number, event: 'write', actor, detail })
  const waits = await handIn(tx, { context, company, actor }, await lockAlert(tx, company.id, id), news.by)
  return { id, number, waits }
}

/** Submits a draft for sending or approval. Automatic alerts skip the approval, because the company allowed it. */
export async function handIn(tx: Tx, { context, company, actor }: Writer, row: Alert, by: string): Promise<boolean> {
  const { counted } = await audienceOf(tx, company.id, row)
  const asksAnother = secondPersonFor(row, counted.people, await secondPersonOver(tx, company.id)) !== ''
  const waits = asksAnother && actor.as !== 'system'
  await transition(tx, alertStateStore, {
    ...{
      scope: company.id,
      id: row.id,
      locked: lockedAlert(row),
      event: 'submit',
      actor,
      to: waits ? 'waiting' : 'scheduled',
    },
    patch: { submitted_by: by, people: counted.people },
  })
  if (!waits) await enqueue(tx, context, row)
  return waits
}

const followCall = implement(followAlert, (call) => {
  const { alertId, form } = call.body
  return call.inCompany(async (tx) => {
    const { context, company } = call
    const now = context.clock.now()
    const first = await lockAlert(tx, company.id, alertId)
    if (first.kind !== 'alert' || (first.status !== 'sent' && first.status !== 'updated'))
      throw conflict('wrong_status', say`Alert ${first.number} is not in force, so there is no news of it.`)
    const expires_at = instantOf(company.timeZone, form.expiresAt) ?? first.expires_at
    if (form.kind === 'update' && expires_at <= now) {
      const over = say`It would be over before it is sent. Choose a later end.`
      throw rejected(over, { expiresAt: over })
    }
    const texts = textsOf(form)
    const blank = blankLeft(texts)
    if (blank) throw blank
    const news = { kind: form.kind, content: texts, expires_at, severity: first.severity, by: keyOf(call) }
    const { id, number, waits } = await writeNews(tx, { context, company, actor: actorOf(call) }, first, news)
    return {
      success: true as const,
      message: waits
        ? say`Alert ${number} waits for a second person to approve it.`
        : say`Alert ${number} is being sent to those who got ${first.number}.`,
      alertId: id,
    }
  })
})

const editorCall = implement(alertEditor, (call) =>
  call.reading(async (tx) => {
    const { company } = call
    const { rows: services } = await sql<{
      id: number
      type: number
      name: string
      email: number
      text: number
      call: number
    }>`
      SELECT v.id, v.type, v.name, count(c.person_id) FILTER (WHERE c.by_email)::int AS email,
        count(c.person_id) FILTER (WHERE c.by_sms)::int AS text, count(c.person_id) FILTER (WHERE c.by_call)::int AS call
      FROM alert_service v LEFT JOIN alert_choice c ON c.company_id = v.company_id AND c.service_id = v.id
      WHERE v.company_id = ${company.id} AND v.is_active
      GROUP BY v.company_id, v.id ORDER BY v.type, v.position, v.id`.execute(tx)
    const forms = await tx
      .selectFrom('form_type')
      .select(['id', 'title'])
      .where('company_id', '=', company.id)
      .where('status', '<>', 'draft')
      .orderBy('title_key')
      .execute()
    const { rows: routes } = await sql<{ name: string; linked: number }>`
      SELECT u.route AS name, count(l.person_id)::int AS linked FROM utility_account u
      LEFT JOIN linked_account l ON l.company_id = u.company_id AND l.account_id = u.id
      WHERE u.company_id = ${company.id} AND u.route <> '' GROUP BY 1 ORDER BY 1 LIMIT 200`.execute(tx)
    return {
      services,
      zones: await listZones(tx, company.id),
      forms,
      routes,
      names: await readServices(tx, company.id),
      canCall: offersCalls(call.context.config, await readSmsSettings(tx, company.id)),
      secondPersonOver: await secondPersonOver(tx, company.id),
      timeZone: company.timeZone,
      can: { edit: may(signedIn(call).privileges, 'communication_management', 'update') },
    }
  }),
)

const [SERVICES, SETTINGS] = ['alert-services', 'alert-settings']
/** Serializes saves, so that each sees the changes of the other. */
const takeTurns = (tx: Tx, company: CompanyId) =>
  sql`SELECT pg_advisory_xact_lock(hashtext(${SETTINGS}), ${company})`.execute(tx)

const settingsCall = implement(saveAlertSettings, (call) =>
  call.inCompany(async (tx) => {
    const company = call.company.id
    const { secondPersonOver: own, basis } = call.body
    await takeTurns(tx, company)
    const before = { secondPersonOver: String(await secondPersonOver(tx, company)) }
    const edit = editBy(tx, call, SETTINGS)
    const after = await mergeEdit<typeof before>(edit, { basis, own: { secondPersonOver: own }, now: { ...before } })
    if (!same(before, after)) {
      await storeSettings(tx, 'alert_settings', company, { approval_over: Number(after.secondPersonOver) })
      await noteChanges(edit, { ...before }, { ...after })
      await call.audit(tx, { action: 'alert.settings_saved', detail: { before, after } })
    }
    return { success: true as const, message: say`The settings of alerts are saved.` }
  }),
)

const servicesCall = implement(saveAlertServices, (call) =>
  call.inCompany(async (tx) => {
    const company = call.company.id
    const { companyId: _named, basis, ...mine } = call.body
    await takeTurns(tx, company)
    const before = await readServices(tx, company)
    const edit = editBy(tx, call, SERVICES)
    const after = await mergeEdit<ServiceNames>(edit, { basis, own: mine, now: { ...before } })
    if (!same(before, after)) {
      await storeServices(tx, company, after)
      await noteChanges(edit, { ...before }, { ...after })
      await call.audit(tx, { action: 'alert.services_saved', detail: { before, after } })
    }
    return { success: true as const, message: say`The services are saved.` }
  }),
)

const eventsCall = implement(alertEvents, async () => ({ topic: ALERTS_TOPIC, id: 0 }))

export const staffCalls = [
  eventsCall,
  servicesCall,
  showCall,
  writeCall,
  saveCall,
  removeCall,
  countCall,
  submitCall,
  testCall,
  moveCall,
  followCall,
  editorCall,
  settingsCall,
]
