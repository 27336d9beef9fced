import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { editBy, mergeEdit, recordChanges } from '../../../server/edits.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { acceptAnswers, anySigner } from '../../../server/fields/accept-answers.ts'
import { dropDraft, readDraft, saveDraft, storedRaw, storeRaw } from '../../../server/fields/drafts.ts'
import { versionOf } from '../../../server/fields/sets.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import { locationFromRow, locationColumns } from '../../../server/places/stored-location.ts'
import { resolveTyped } from '../../../server/places/at-point.ts'
import { parcelOf } from '../../../server/places/parcel-of.ts'
import { recordCreation, loadHistory, transition, actorOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { same } from '../../../shared/edits.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { type PrefillData, prefilled } from '../../../shared/fields/prefill.ts'
import { noLocation, typedLocation, type LocationValue } from '../../../shared/places.ts'
import { say } from '../../../shared/messages.ts'
import {
  confirmRegistration,
  saveRegistrationDraft,
  leaveRegistration,
  myRegistration,
  myRegistrations,
  newRegistration,
  saveRegistration,
  sendRegistration,
  UNKNOWN_ADDRESS,
} from '../contract.ts'
import { findAtAddress, detailsOf, HOUSEHOLD, type Kind, type RegistrationSettings, RENTAL } from '../rules.ts'
import { registrationStates, type RegistrationState } from '../states.ts'
import { newestOf } from './fields.ts'
import { received } from './emails.ts'
import {
  bySystem,
  findRegistration,
  saveSnapshot,
  registrationStateStore,
  openAnswers,
  type Registration,
  sealAnswers,
  snapshotsOf,
  noticeDataOf,
  notifyOwner,
  todayOf,
  renewalPatch,
} from './registrations.ts'
import { settingsOf } from './settings.ts'
import { offerOf } from './transfer.ts'

/**
 * Rate limit per person and day. The limit is higher than any legitimate use. Each registration sends an email and
 * creates work for staff.
 */
const sentByPerson = defineLimit('registrations-sent', { max: 30, minutes: 24 * 60, after: 'pause' })

const EDITABLE: readonly string[] = ['pending', 'more_info_needed', 'registered', 'due', 'lapsed', 'rejected']
const CONFIRMABLE: readonly string[] = ['due', 'lapsed']

const ownerActionsOf = (row: Registration) => ({
  confirm: CONFIRMABLE.includes(row.status),
  edit: EDITABLE.includes(row.status),
  leave: EDITABLE.includes(row.status),
  // A household registration cannot be transferred to another person.
  offer: row.kind !== HOUSEHOLD && (row.status === 'registered' || row.status === 'due'),
})

export const summaryOf = (row: Registration) => ({
  id: row.id,
  number: row.number,
  oldNumber: row.old_number,
  kind: row.kind as Kind,
  name: row.name,
  location: row.location,
  status: row.status as RegistrationState,
  confirmBy: row.confirm_by ?? '',
})

/**
 * Loads the last question or rejection by staff for each registration. Only registrations that need more information or
 * were rejected have an entry.
 */
async function lastMessages(tx: Tx, company: CompanyId, rows: readonly Registration[]): Promise<Map<number, string>> {
  const ids = rows.filter(({ status }) => status === 'more_info_needed' || status === 'rejected').map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const steps = await tx
    .selectFrom('status_history')
    .select(['subject_id', 'reason'])
    .where('company_id', '=', company)
    .where('machine', '=', registrationStates.name)
    .where('subject_id', 'in', ids)
    .where('event', 'in', ['request_info', 'reject'])
    .orderBy('seq')
    .execute()
  return new Map(steps.map(({ subject_id, reason }) => [subject_id, reason]))
}

const listCall = implement(myRegistrations, (call) =>
  call.reading(async (tx) => {
    const { company } = call
    const { personId } = signedIn(call)
    const rows = await tx
      .selectFrom('registration')
      .selectAll()
      .where('company_id', '=', company.id)
      .where('person_id', '=', personId)
      .orderBy('id', 'desc')
      .limit(200)
      .execute()
    const messages = await lastMessages(tx, company.id, rows)
    const drafts = await tx
      .selectFrom('field_draft as d')
      .innerJoin('registration_kind as k', (on) =>
        on.onRef('k.company_id', '=', 'd.company_id').onRef('k.field_set_id', '=', 'd.field_set_id'),
      )
      .select('k.kind')
      .where('d.company_id', '=', company.id)
      .where('d.owner', '=', `person ${personId}`)
      .where('d.subject', '=', '')
      .orderBy('k.kind')
      .execute()
    return {
      today: todayOf(call),
      registrations: rows.map((row) => {
        const { confirm, edit } = ownerActionsOf(row)
        return { ...summaryOf(row), text: messages.get(row.id) ?? '', can: { confirm, edit } }
      }),
      drafts: drafts.map(({ kind }) => kind as Kind),
    }
  }),
)

const draftOf = (call: Call, set: number) => ({ set, owner: `person ${signedIn(call).personId}`, subject: '' })
/** Key of the address in the draft. The address is not a field of the form. */
const LOCATION = 'location'
const locationDraftOf = (call: Call, set: number) => ({ ...draftOf(call, set), subject: LOCATION })

async function storedLocationOf(call: Call, tx: Tx, set: number): Promise<LocationValue | null> {
  const stored = typedLocation.safeParse(await storedRaw(draftContext(call, tx), locationDraftOf(call, set)))
  return stored.success ? resolveTyped(tx, call.company.id, stored.data) : null
}
const draftContext = (call: Call, tx: Tx) => ({ tx, clock: call.context.clock, company: call.company.id })

/**
 * Loads a resident's profile to prefill the form. If the profile has no address, the first linked utility account
 * provides it.
 */
async function prefillOf(tx: Tx, company: CompanyId, person: number, today: string) {
  const row = await tx
    .selectFrom('person as p')
    .select(['p.first_name', 'p.last_name', 'p.email', 'p.mobile_no', 'p.service_address'])
    .select((e) =>
      e
        .selectFrom('linked_account as l')
        .innerJoin('utility_account as a', (on) =>
          on.onRef('a.company_id', '=', 'l.company_id').onRef('a.id', '=', 'l.account_id'),
        )
        .select('a.service_address')
        .whereRef('l.company_id', '=', 'p.company_id')
        .whereRef('l.person_id', '=', 'p.id')
        .orderBy('l.linked_at')
        .limit(1)
        .as('linked'),
    )
    .where('p.company_id', '=', company)
    .where('p.id', '=', person)
    .executeTakeFirstOrThrow()
  const { first_name, last_name, email, mobile_no: phone } = row
  const prefill: PrefillData = { first_name, last_name, email, phone, today }
  return { prefill, address: row.service_address || (row.linked ?? '') }
}

/** Lists the person's open registrations of a kind. */
export async function listOpenRegistrations(tx: Tx, company: CompanyId, person: number, kind: Kind) {
  const rows = await tx
    .selectFrom('registration')
    .select(['id', 'number', 'location', 'address_id'])
    .where('company_id', '=', company)
    .where('person_id', '=', person)
    .where('kind', '=', kind)
    .where('status', '!=', 'ended')
    .orderBy('id', 'desc')
    .limit(200)
    .execute()
  return rows.map(({ id, number, location, address_id }) => ({ id, number, location, addressId: address_id }))
}

/** Relation code of the first person in a household: self (spec 9.7). */
const SELF = '1'

/** Prefills the people of a household with the person who registers it. */
const startValues = (kind: Kind, start: Record<string, unknown>, { first_name, last_name }: PrefillData) =>
  kind === HOUSEHOLD && (first_name || last_name)
    ? { ...start, people: [{ first_name, last_name, relation: SELF }] }
    : start

const newCall = implement(newRegistration, (call) =>
  call.inCompany(async (tx) => {
    const { kind } = call.body
    const today = todayOf(call)
    const { set, version, definition } = await newestOf(call, tx, kind)
    const draft = await readDraft(draftContext(call, tx), draftOf(call, set), today)
    const { prefill, address } = await prefillOf(tx, call.company.id, signedIn(call).personId, today)
    return {
      today,
      definition,
      version,
      start: draft?.raw ?? startValues(kind, prefilled(definition, prefill), prefill),
      // Prefills the address only for a household, because the portal does not know the address of a business.
      location:
        (await storedLocationOf(call, tx, set)) ??
        (kind === HOUSEHOLD ? await resolveTyped(tx, call.company.id, { ...noLocation, text: address }) : noLocation),
      changes: draft?.changes ?? [],
      isDraft: draft !== null,
      listedAddressOnly: (await settingsOf(tx, call.company.id)).listedAddressOnly,
      already: await listOpenRegistrations(tx, call.company.id, signedIn(call).personId, kind),
    }
  }),
)

const saveDraftCall = implement(saveRegistrationDraft, (call) =>
  call.inCompany(async (tx) => {
    const { kind, version, raw, before, location } = call.body
    const { set } = await newestOf(call, tx, kind)
    if (location)
      await storeRaw(
        draftContext(call, tx),
        locationDraftOf(call, set),
        version,
        await resolveTyped(tx, call.company.id, location),
      )
    const others = await saveDraft(draftContext(call, tx), draftOf(call, set), version, raw, before)
    return { savedAt: call.context.clock.now().toISOString(), others }
  }),
)

const NO_PARCEL =
  'We found no parcel for this address. Check the number and the street. If our list is wrong, call the office.'

interface AddressInput {
  kind: Kind
  location: LocationValue
  settings: RegistrationSettings
}

/**
 * Finds the entered location among the company's addresses.
 * @throws 422 if the company requires a listed address or parcel and none matches
 */
async function resolveLocation(tx: Tx, company: CompanyId, { kind, location, settings }: AddressInput) {
  const resolvedLocation = await resolveTyped(tx, company, location)
  const missing = await missingAt(tx, company, { kind, location: resolvedLocation, settings })
  if (missing === null) return resolvedLocation
  const message = missing === 'address' ? UNKNOWN_ADDRESS : NO_PARCEL
  throw rejected(message, { location: message })
}

/** Returns the missing requirement of the company's settings: a listed address or a parcel. Null if both are met. */
export async function missingAt(
  tx: Tx,
  company: CompanyId,
  { kind, location, settings }: AddressInput,
): Promise<'address' | 'parcel' | null> {
  if (settings.listedAddressOnly && location.addressId === null) return 'address'
  const needsParcel = settings.onParcel && kind !== HOUSEHOLD
  return needsParcel && (await parcelOf(tx, company, location.text)) === null ? 'parcel' : null
}

/**
 * Refuses a second household registration by the same person at an address. The person must change the existing
 * registration instead.
 */
async function refuseSecondHousehold(tx: Tx, company: CompanyId, person: number, location: LocationValue) {
  const there = findAtAddress(await listOpenRegistrations(tx, company, person, HOUSEHOLD), location)
  if (there) {
    const { number } = there
    throw rejected(say`You have already registered this household. Change registration ${number} instead.`)
  }
}

const noFiles = async () => null
const sendCall = implement(sendRegistration, async (call) => {
  const { context, company, body } = call
  const { kind } = body
  const { personId } = signedIn(call)
  await countAttempt(context, [sentByPerson(`${company.id}/${personId}`)])
  return call.inCompany(async (tx) => {
    const settings = await settingsOf(tx, company.id)
    const { set, version, definition } = await newestOf(call, tx, kind)
    const location = await resolveLocation(tx, company.id, { kind, location: body.location, settings })
    if (kind === HOUSEHOLD) await refuseSecondHousehold(tx, company.id, personId, location)
    const answers = await acceptAnswers(definition, body.answers, {
      ...{ today: todayOf(call), findFile: noFiles, signer: anySigner(call) },
    })
    const now = context.clock.now()
    const { id, number } = await tx
      .insertInto('registration')
      .values({
        company_id: company.id,
        kind,
        status: 'pending',
        person_id: personId,
        owner_name: callerName(call),
        ...locationColumns(location),
        ...detailsOf(kind, answers),
        field_set_id: set,
        version,
        answers_sealed: sealAnswers(context, answers),
        made_at: now,
        changed_at: now,
      })
      .returning(['id', 'number'])
      .executeTakeFirstOrThrow()
    await recordCreation(tx, registrationStateStore, {
      scope: company.id,
      id,
      number,
      person: personId,
      event: 'send',
      actor: actorOf(call),
      detail: { number, location: location.text },
    })
    for (const draft of [draftOf(call, set), locationDraftOf(call, set)]) await dropDraft(draftContext(call, tx), draft)
    const row = await findRegistration(tx, company.id, id)
    const passed = await passWhereAllowed(tx, call, row, settings)
    if (!passed) await notifyOwner(tx, call, row, received, noticeDataOf(row))
    const message = passed
      ? say`Registration ${number} is now valid. We sent you an email.`
      : say`We received registration ${number}. We will review it and email you.`
    return { success: true as const, message, id, number }
  })
})

/** Accepts a household at a listed address without a review, if the settings allow it. */
async function passWhereAllowed(tx: Tx, call: Call, row: Registration, settings: RegistrationSettings) {
  if (row.kind !== HOUSEHOLD || !settings.householdAtOnce || row.address_id === null) return false
  const { company, context } = call
  await transition(tx, registrationStateStore, {
    scope: company.id,
    id: row.id,
    event: 'pass',
    actor: bySystem(context.clock),
    patch: renewalPatch(row, todayOf(call), settings.inspectionMonths),
    deps: call,
  })
  return true
}

const showCall = implement(myRegistration, (call) =>
  call.inCompany(async (tx) => {
    const { company, context, body } = call
    const row = await findRegistration(tx, company.id, body.id, { of: signedIn(call).personId })
    const { definition } = await versionOf({ tx, company: company.id }, row.field_set_id, row.version)
    const newest = await newestOf(call, tx, row.kind as Kind)
    const messages = await lastMessages(tx, company.id, [row])
    return {
      ...summaryOf(row),
      today: todayOf(call),
      definition,
      answers: { ...openAnswers(context, row) },
      newest: { definition: newest.definition, version: newest.version },
      listedAddressOnly: (await settingsOf(tx, company.id)).listedAddressOnly,
      where: locationFromRow(row),
      text: messages.get(row.id) ?? '',
      history: await loadHistory(tx, registrationStates, company.id, row.id),
      snapshots: await snapshotsOf(tx, row),
      offer: await offerOf(tx, row, context.clock.now()),
      can: ownerActionsOf(row),
    }
  }),
)

/** Returns the transition that a change to the registration triggers. Null if the registration already awaits staff. */
const stepOfChange = (status: string): 'answer' | 'change' | null =>
  status === 'pending' ? null : status === 'more_info_needed' || status === 'rejected' ? 'answer' : 'change'

interface SavedAddress {
  location: LocationValue
  [field: string]: unknown
}

const saveCall = implement(saveRegistration, (call) => {
  const { context, company, body } = call
  return call.inCompany(async (tx) => {
    const row = await findRegistration(tx, company.id, body.id, { of: signedIn(call).personId, lock: true })
    if (!ownerActionsOf(row).edit)
      throw conflict('ended', say`Registration ${row.number} has ended. Please register again.`)
    const settings = await settingsOf(tx, company.id)
    const now: SavedAddress = { ...openAnswers(context, row), location: locationFromRow(row) }
    const edit = editBy(tx, call, `registration ${row.id}`)
    const input: SavedAddress = { ...body.answers, location: await resolveTyped(tx, company.id, body.location) }
    const kind = row.kind as Kind
    const { version, definition } = await newestOf(call, tx, kind)
    // Includes unanswered fields. If two people answer the same field for the first time, a conflict then appears.
    const names = allFields(definition).map(({ name }) => name)
    const whole = <Values extends object>(values: Values) => ({
      ...Object.fromEntries(names.map((name) => [name, null])),
      ...values,
    })
    const basis = body.basis && whole(body.basis)
    const { location, ...answers } = await mergeEdit<SavedAddress>(edit, { basis, own: whole(input), now: whole(now) })
    const checked: Answers = await acceptAnswers(definition, answers, {
      ...{ today: todayOf(call), findFile: noFiles, signer: anySigner(call) },
    })
    const after = { ...checked, location: await resolveLocation(tx, company.id, { kind, location, settings }) }
    const event = stepOfChange(row.status)
    if (same(now, after) && event !== 'answer') return { success: true as const, message: 'Nothing changed.' }
    const at = context.clock.now()
    await saveSnapshot(tx, row, { at, before: 'change', by: callerName(call) })
    await tx
      .updateTable('registration')
      .set({
        ...locationColumns(after.location),
        ...detailsOf(kind, checked),
        version,
        answers_sealed: sealAnswers(context, checked),
        changed_at: at,
      })
      .where('company_id', '=', company.id)
      .where('id', '=', row.id)
      .execute()
    await recordChanges(edit, now, after)
    if (event)
      await transition(tx, registrationStateStore, {
        ...{ scope: company.id, id: row.id, event, actor: actorOf(call), deps: call },
      })
    else
      await call.audit(tx, {
        action: 'registration.edited',
        subject: { kind: 'registration', id: row.number },
        detail: { number: row.number },
      })
    const changed = await findRegistration(tx, company.id, row.id)
    const passed = await passWhereAllowed(tx, call, changed, settings)
    const message = passed
      ? say`Registration ${row.number} was updated and is valid.`
      : say`Registration ${row.number} was updated. We will review it again.`
    return { success: true as const, message }
  })
})

const confirmCall = implement(confirmRegistration, (call) => {
  const { company, body } = call
  return call.inCompany(async (tx) => {
    const row = await findRegistration(tx, company.id, body.id, { of: signedIn(call).personId, lock: true })
    const settings = await settingsOf(tx, company.id)
    const today = todayOf(call)
    const isInspected = row.kind !== RENTAL || row.inspect_by === null || row.inspect_by >= today
    const atOnce = settings.renewAtOnce && row.status === 'due' && isInspected
    const moved = await transition(tx, registrationStateStore, {
      scope: company.id,
      id: row.id,
      event: 'confirm',
      to: atOnce ? 'registered' : 'pending',
      actor: actorOf(call),
      patch: atOnce ? renewalPatch(row, today, settings.inspectionMonths) : {},
      deps: call,
    })
    await saveSnapshot(tx, row, { at: moved.at, before: 'confirm', by: callerName(call) })
    const message = atOnce
      ? say`Thank you. Registration ${row.number} is valid for another year.`
      : say`Thank you. We will review registration ${row.number} and email you.`
    return { success: true as const, message }
  })
})

const leaveCall = implement(leaveRegistration, (call) => {
  const { company, body } = call
  return call.inCompany(async (tx) => {
    const row = await findRegistration(tx, company.id, body.id, { of: signedIn(call).personId, lock: true })
    const { message } = await transition(tx, registrationStateStore, {
      scope: company.id,
      id: row.id,
      event: 'leave',
      actor: actorOf(call),
      deps: call,
    })
    return { success: true as const, message }
  })
})

export const ownCalls = [listCall, newCall, saveDraftCall, sendCall, showCall, saveCall, confirmCall, leaveCall]
