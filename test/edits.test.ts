import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { usualType as usualForm } from '../features/forms/rules.ts'
import { saveProfile } from '../features/profile/contract.ts'
import { allCalls } from '../portal/server.ts'
import { createFieldSet, readFieldSet, saveFieldSet, type FieldSetContext } from '../server/fields/sets.ts'
import { Refusal } from '../server/errors.ts'
import type { Session } from '../server/sessions.ts'
import { companyIdFrom, tenancyOn } from '../server/tenancy.ts'
import { blankField, blankStep } from '../shared/fields/blank.ts'
import type { Endpoint } from '../shared/endpoint.ts'
import { fromParts, toParts } from '../shared/fields/parts.ts'
import { same } from '../shared/edits.ts'
import { labelledMask } from '../shared/privilege-labels.ts'
import { levels } from '../shared/areas.ts'
import { policyNames, rights } from '../shared/privileges.ts'
import { sampleOf } from './layers.ts'
import { type ApiResponse, testClock, testPortal } from './harness.ts'
import { typeWhileOthersSave } from './in-form.ts'
import { addTestPlatformStaff, openTestCompany } from './company.ts'

const ADMIN = 'admin.localhost'
const MAPLE = 'maplegrove.localhost'
const portal = await testPortal({ clock: testClock() })
const tokens: Record<string, string> = {}
let companyId = 0
let elena = 0
let marcus = 0
let judith = 0
let dana = 0
let noor = 0
let department = 0
let crewRole = ''
let form = 0
let preset = 0
let savedReply = 0
let parcel = 0
let violation = 0
let category = 0
let ticket = 0
let contested = 0
let contestReply = 0
let requestReply = 0
let moveReply = 0
let moveId = 0
let resourceId = 0
let roundId = 0
let caller = 0
let helpdesk = 0
let workOrder = 0
let workPlan = 0
let workCrew = 0
let workTemplate = 0
let hydrant = 0
let note = 0
let template = 0
let otherPortal = 0
let inspection = 0
let item = 0
let account = 0
let payment = 0
let registration = 0
let ownForm = 0
let submissionReply = 0
let fieldSet = 0
let faqCategory = 0
let alertId = 0
let alertTemplateId = 0
let sourceId = 0
let feeRuleId = 0
const faqs: number[] = []

type Values = Record<string, unknown>
interface Shape {
  properties?: Values
}
const asSent = { io: 'input', unrepresentable: 'any' } as const

/** Fields of the form for a request category. The form takes their values from the category's row in the list. */
const CATEGORY = [
  'name',
  'hint',
  'sortNo',
  'departmentId',
  'targetDays',
  'escalateTo',
  'forGuests',
  'needsLocation',
  'onMap',
]

beforeAll(async () => {
  companyId = await openTestCompany(portal, mapleGrove)
  await addTestPlatformStaff(portal)
  await portal.owner.query(
    `INSERT INTO form_1099k (company_id, year, filer, payee, tin_last4, gross_cents, not_present_cents, transactions, month_cents, saved_at, saved_by)
     VALUES ($1, 2025, 'Sandbox', 'Maple Grove', '', 100000, 0, 10, '[100000,0,0,0,0,0,0,0,0,0,0,0]', now(), 'The office')`,
    [companyId],
  )
  const { rows: feeRows } = await portal.owner.query(
    `INSERT INTO fee_rule (company_id, method, channel, valid_from, program, mode, absorb, bps, fixed_cents, min_cents, max_cents, made_by)
     VALUES ($1, 1, 'phone', '2099-01-01', 'convenience', 'single', 0, 0, 200, 0, 400, '') RETURNING id`,
    [companyId],
  )
  feeRuleId = feeRows[0].id
  // Adds a second administrator to the company and another to the platform. They represent people who edit in a second
  // browser.
  await portal.owner.query(`
    INSERT INTO person (company_id, email, role_id, first_name, last_name, password_hash, position)
    SELECT company_id, more.email, role_id, more.first_name, 'Ruiz', password_hash, position FROM person,
      (VALUES ('dana@maplegrove.example', 'Dana'), ('noor@maplegrove.example', 'Noor')) AS more (email, first_name)
    WHERE person.email = 'admin@maplegrove.example';
    INSERT INTO platform_person (email, role_id, first_name, last_name, password_hash)
    SELECT 'dana@mainstreet.example', role_id, 'Dana', 'Ruiz', password_hash FROM platform_person WHERE email = 'super@mainstreet.example';
    UPDATE person SET position = 1, active_email_alerts = 'a', active_phone_alerts = 'a'`)
  tokens['mine'] = await portal.signIn(ADMIN, 'super@mainstreet.example')
  tokens['theirs'] = await portal.signIn(ADMIN, 'dana@mainstreet.example')
  tokens['mine in town'] = await portal.signIn(MAPLE, 'admin@maplegrove.example')
  tokens['theirs in town'] = await portal.signIn(MAPLE, 'dana@maplegrove.example')
  tokens['resident'] = await portal.signIn(MAPLE, 'resident@maplegrove.example')
  const { rows } = await portal.owner.query(
    `SELECT id, first_name FROM person WHERE role_id BETWEEN 3 AND 5 ORDER BY id`,
  )
  const idOf = (name: string) => rows.find((row: { first_name: string }) => row.first_name === name).id
  ;[elena = 0, marcus = 0, judith = 0, dana = 0, noor = 0] = ['Elena', 'Marcus', 'Judith', 'Dana', 'Noor'].map(idOf)
  department = (await callApi('muni/create/municipality/department', { name: 'Streets' })).body.departmentId
  helpdesk = (await callApi('admin/create/platform/department', { name: 'Help' })).body.departmentId
  caller = Number(
    (
      await portal.owner.query(
        `INSERT INTO platform_person (email, role_id, first_name, last_name, password_hash)
         SELECT 'calls@mainstreet.example', 906, 'Tony', 'Hill', password_hash FROM platform_person LIMIT 1 RETURNING id`,
      )
    ).rows[0].id,
  )
  savedReply = (
    await callApi('admin/save/support/saved/reply', { savedReplyId: null, title: 'Cache', text: 'Clear it.' })
  ).body.savedReplyId
  const categoryInput = { departmentId: null, escalateTo: null, forGuests: true, needsLocation: true, onMap: true }
  const pothole = { ...categoryInput, name: 'Pothole', hint: '', sortNo: 1, active: true, targetDays: 5 }
  category = (await callApi('muni/save/request/category', { ...pothole, categoryId: null })).body.categoryId
  const code = { violationId: null, code: '10', description: 'Expired meter', amountCents: 2500, active: true }
  violation = (await callApi('muni/save/parking/violation', code)).body.violationId
  const written = {
    ...{
      citation: 'MG-1',
      violation: '10',
      plate: 'KLM4821',
      plateState: 'PA',
      vehicle: '',
      officer: '',
      notes: '',
      email: '',
    },
    ...{ issuedDate: '2026-11-19', issuedTime: '09:30' },
    location: { text: 'Main Street 12', addressId: null, lat: null, lon: null, metres: null },
  }
  ticket = (await callApi('muni/enter/parking/ticket', written)).body.ticketId
  contested = (await callApi('muni/enter/parking/ticket', { ...written, citation: 'MG-2' })).body.ticketId
  const contestInput = {
    receivedOn: '2026-11-20',
    name: 'Ann Lee',
    address: '1 Oak Street',
    phone: '',
    email: '',
    files: [],
  }
  await callApi('muni/enter/parking/contest', {
    ...contestInput,
    ticketId: contested,
    grounds: 'The meter was broken.',
  })
  const hearing = { hearingDate: '2026-11-30', hearingTime: '10:00', hearingLocation: 'Room 2' }
  await callApi('muni/set/parking/hearing', { ...hearing, ticketId: contested })
  const replyInput = { savedReplyId: null, title: 'Meter', text: 'Which one?' }
  contestReply = (await callCompanyApi('muni/save/parking/contests/saved/reply', replyInput)).body.savedReplyId
  moveReply = (await callCompanyApi('muni/save/moves/saved/reply', replyInput)).body.savedReplyId
  const { rows: moved } = await portal.owner.query(
    `INSERT INTO move_request (company_id, kind, created_at, updated_at, name, leaves_premise, leaves_on, enters_premise, enters_on)
     SELECT id, 3, now(), now(), 'Ann Reese', '1 Oak Street', '2026-12-01', '2 Oak Street', '2026-12-01' FROM company
     WHERE subdomain = 'maplegrove' RETURNING id`,
  )
  moveId = Number(moved[0].id)
  const { rows: rented } = await portal.owner.query(
    `INSERT INTO rental_resource (company_id, name, kind, seasons, gl_account, created_at)
     SELECT id, 'Pavilion', 'pavilion', $1, '400', now() FROM company WHERE subdomain = 'maplegrove' RETURNING id`,
    [JSON.stringify([{ from: '01-01', until: '12-31', days: [1], opens: '08:00', closes: '22:00', percent: 100 }])],
  )
  resourceId = Number(rented[0].id)
  const terms = {
    ...{ name: 'Spring', text: '', resourceIds: [resourceId], seasonFrom: '2027-05-01', seasonUntil: '2027-06-30' },
    ...{
      opensOn: '2027-03-01',
      closesOn: '2027-03-31',
      maxChoices: 3,
      maxHours: 6,
      audience: 'everybody',
      payDays: 14,
    },
  }
  roundId = (await callApi('muni/add/rental/round', { ...terms, groups: [] })).body.roundId
  requestReply = (await callCompanyApi('muni/save/requests/saved/reply', replyInput)).body.savedReplyId
  submissionReply = (await callCompanyApi('muni/save/form/submissions/saved/reply', replyInput)).body.savedReplyId
  await callApi('muni/save/request/category/fields', {
    categoryId: category,
    definition: { steps: [{ ...blankStep('dog'), title: 'The dog', fields: [breed] }] },
  })
  const work = {
    ...{
      title: 'Fill the pothole',
      description: '',
      kind: 'repair',
      severity: 1,
      departmentId: null,
      assignedTo: null,
    },
    location: written.location,
  }
  workOrder = (await callApi('muni/open/work/order', { ...work, assetName: '', dueOn: '' })).body.orderId
  const again = { unit: 'week', every: 1, weekdays: [1], by: 'day', until: '' }
  const planned = { checklist: '', startsOn: '2026-11-23', startTime: '', minutes: 60, leadDays: 3, active: true }
  workPlan = (await callApi('muni/save/work/plan', { ...work, ...planned, repeats: again, planId: null })).body.planId
  workCrew = (await callApi('muni/save/work/crew', { name: 'Streets', people: [elena], active: true, crewId: null }))
    .body.crewId
  const patch = { description: '', kind: 'repair', severity: 1, departmentId: null, crewId: null, minutes: 45 }
  const templateInput = { ...patch, title: 'Fill a pothole', parts: [], checklist: '', active: true }
  workTemplate = (await callApi('muni/save/work/template', { ...templateInput, templateId: null })).body.templateId
  const plainHydrant = { make: '', model: '', madeYear: '', sizeInches: '', mainInches: '', notes: '' }
  const neverInspected = { lastInspectedOn: '', nextInspectionOn: '' }
  const hydrantInput = { number: 'H-1', location: written.location }
  hydrant = (await callCompanyApi('muni/add/hydrant', { ...plainHydrant, ...neverInspected, ...hydrantInput })).body
    .hydrantId
  const noConsent = { agreedBy: '', agreedOn: '', agreedHow: '' }
  const noteInput = {
    kind: 'access',
    location: written.location,
    text: 'The key is at the pharmacy.',
    confirmOn: '2027-06-01',
  }
  note = (await callCompanyApi('muni/write/premise/note', { ...noteInput, ...noConsent })).body.noteId
  const looked = { name: 'Hydrant, yearly', subjectKind: 'hydrant', everyMonths: 12, certificate: '', isActive: true }
  const elsewhere = {
    ...{ name: 'County', url: 'https://county.example/open311/v2', jurisdictionId: '', active: true, routes: [] },
    ...{ followsStatus: true, sendsContact: false, portalId: null, apiKey: '' },
  }
  otherPortal = (await callCompanyApi('muni/save/other/portal', elsewhere)).body.portalId
  template = (await callCompanyApi('muni/add/inspection/template', looked)).body.templateId
  const items = { steps: [{ ...blankStep('valve'), title: 'Valve', fields: [turns] }] }
  await callCompanyApi('muni/save/inspection/items', { templateId: template, definition: items })
  await callCompanyApi('muni/publish/inspection/items', { templateId: template, definition: items })
  const due = { dueOn: '2026-12-01', startTime: '09:00', assignedTo: null }
  const subject = { templateId: template, subjectId: hydrant, location: { ...written.location, text: '' } }
  inspection = (await callCompanyApi('muni/schedule/inspection', { ...subject, ...due })).body.inspectionId
  item = (await callCompanyApi('muni/return/inspection', { inspectionId: inspection })).body.items[0].id
  parcel = Number(
    (
      await portal.owner.query(
        `INSERT INTO parcel (company_id, parcel_number, number_key, lat, lon, at) VALUES ($1, '12-1', '121', 40, -77, '(0,0)') RETURNING id`,
        [companyId],
      )
    ).rows[0].id,
  )
  account = Number(
    (
      await portal.owner.query(
        `INSERT INTO utility_account (company_id, account_number, customer_name, service_address, city, state, zipcode)
         VALUES ($1, '7001', 'Ann Lee', '1 Oak Street', 'Maple Grove', 'PA', '17011') RETURNING id`,
        [companyId],
      )
    ).rows[0].id,
  )
  await portal.owner.query(
    `INSERT INTO linked_account (company_id, person_id, account_id, linked_at)
     SELECT $1, id, $2, now() FROM person WHERE email = 'resident@maplegrove.example'`,
    [companyId, account],
  )
  payment = (await callApi('muni/create/general/payment/type', { form: dogLicense })).body.typeId
  const dog = { steps: [{ ...blankStep('dog'), title: 'The dog', fields: [breed] }] }
  await callApi('muni/save/general/payment/fields', { typeId: payment, definition: dog })
  await callApi('muni/save/registration/fields', { kind: 1, definition: dog })
  await callApi('muni/save/rental/fields', { resourceId, definition: dog })
  await callApi('muni/save/registration/settings', {
    ...{ listedAddressOnly: false, householdAtOnce: true, renewAtOnce: true, inspectionMonths: 24, onParcel: false },
  })
  registration = (
    await callApi(
      'send/registration',
      {
        kind: 1,
        location: { text: '38 Linden Avenue', addressId: null, lat: null, lon: null, metres: null },
        answers: {
          household_name: 'Whitaker',
          property_type: '1',
          people: [{ first_name: 'Naomi', last_name: 'Whitaker', relation: '1' }],
          consent: false,
        },
      },
      'resident',
    )
  ).body.id
  const fence = { ...usualForm, title: 'Fence permit', category: 'permits', description: '' }
  ownForm = (await callCompanyApi('muni/create/form/type', { form: fence })).body.typeId
  await callCompanyApi('muni/save/form/fields', { typeId: ownForm, definition: dog })
  await portal.owner.query(
    `INSERT INTO form_pdf (company_id, type_id, kind, mapping, proof, added_at, added_by)
     VALUES ($1, $2, 'fillable', $3, '{"of":2,"rendered":{},"unseen":[]}', now(), 'Marcus')`,
    [
      companyId,
      ownForm,
      JSON.stringify(['Name', 'Breed', 'Fee'].map((pdf) => ({ pdf, label: pdf, name: pdf === 'Fee' ? 'older' : '' }))),
    ],
  )
  const alerting = { alerts: [{ name: 'Emergencies' }], essentials: [{ name: 'Water' }], others: [] }
  await callCompanyApi('muni/save/alert/services', alerting)
  const [alertService] = (await callCompanyApi('muni/return/alert/editor')).body.services
  const weather = { ...alertSource, serviceId: String(alertService.id) }
  sourceId = (await callCompanyApi('muni/save/alert/source', { sourceId: null, form: weather })).body.sourceId
  alertId = (await callCompanyApi('muni/write/alert', { form: { ...alertText, serviceId: String(alertService.id) } }))
    .body.alertId
  const river = {
    ...{ templateId: null, name: 'River', serviceId: '', event: 'Flood', category: 'Met', severity: 'Severe' },
    ...{ urgency: 'Expected', certainty: 'Likely' },
    ...{ en: { headline: 'The river rises', description: '', instruction: '' } },
    ...{ es: { headline: '', description: '', instruction: '' } },
  }
  alertTemplateId = (await callCompanyApi('muni/save/alert/template', river)).body.templateId
  faqCategory = (await callCompanyApi('muni/save/faq/category', { categoryId: null, name: 'Trash' })).body.categoryId
  for (const questionText of ['What day is trash picked up?', 'Where do I get a cart?', 'What is too large?'])
    faqs.push(
      (await callCompanyApi('muni/write/faq/question', { form: { ...faq, question: questionText }, searchId: null }))
        .body.faqId,
    )
  await callCompanyApi('muni/save/faq/synonyms', { groups: ['trash garbage'] })
  const fieldSetInput = { name: 'Dog license', steps: [{ ...blankStep('dog'), title: 'The dog', fields: [question] }] }
  fieldSet = await fieldSets('mine', (work) => createFieldSet(work, 'form', fieldSetInput))
  preset = (
    await portal.owner.query(
      `INSERT INTO import_preset (name, kind, header_hash, headers, mapping, saved_at, saved_by)
       VALUES ('Billing 7', 'faqs', '', '[]', '{"columns":[],"values":{}}', now(), '') RETURNING id`,
    )
  ).rows[0].id
  form = (
    await portal.owner.query(
      `INSERT INTO form_template (title, description, category, created_at, created_by, changed_at, changed_by)
       SELECT 'Dog license', 'Each year.', 'Permits', now(), id, now(), id FROM platform_person LIMIT 1 RETURNING id`,
    )
  ).rows[0].id
})

/** Stores the preset “Crew” as a role of the company. */
beforeAll(async () => {
  const { roles } = (await callApi('muni/return/municipality/roles')).body
  const { name, roleId, masks } = roles.find(({ key }: { key: string }) => key === 'preset:crew')
  const saved = await callApi('muni/save/municipality/role', { ...masks, name, roleId, role: 'preset:crew' })
  crewRole = saved.body.role
})

/** Paths of calls that received a basis. These calls merge their values with other people's changes. */
const merging = new Set<string>()
const callApi = (path: string, body: object = {}, by = 'mine'): Promise<ApiResponse> => {
  if ('basis' in body) merging.add(path)
  return by === 'resident'
    ? portal.post(MAPLE, path, body, { token: tokens[by] ?? '' })
    : portal.post(ADMIN, path, { companyId, ...body }, { token: tokens[by] ?? '' })
}
/** Makes a call as the company's staff. Used for calls that the platform may not make. */
const callCompanyApi = (path: string, body: object = {}, by = 'mine'): Promise<ApiResponse> => {
  if ('basis' in body) merging.add(path)
  return portal.post(MAPLE, path, body, { token: tokens[`${by} in town`] ?? '' })
}
const only = (from: Values, names: readonly string[]) => Object.fromEntries(names.map((name) => [name, from[name]]))
const config = async () => (await callApi('admin/return/company/config')).body.config
const staffFields = ['firstName', 'lastName', 'roleId', 'position', 'departmentId']
const staff = async () =>
  only((await callApi('muni/return/municipality/staff/member', { personId: elena })).body.person, staffFields)
const section = (name: string) => ({
  read: async () => (await config())[name],
  save: (values: Values, basis: Values, by: string) =>
    callApi('admin/save/company/config', { section: name, values, basis }, by),
})
const sso = async () => (await callApi('admin/return/company/sso')).body

/** Maps each field of the slide-out (spec 2.14) to its name in the settings. */
const pencil = {
  ...{ companyName: 'name', address: 'address1', city: 'city', state: 'state', zip: 'zipcode', phone: 'phone_no' },
  ...{ companyWebsite: 'website_url', subdomain: 'subdomain', timeZone: 'timezone_id', online: 'is_online' },
  ...{ intrigratesWithBilling: 'use_dbilling', isManagedServices: 'is_managed_services' },
  ...{ officeHoursOpen: 'office_hours_open', officeHoursClosed: 'office_hours_closed' },
}

const dogLicense = {
  ...{ title: 'Dog license', category: 'licenses', description: '', glAccount: '321.9', seenBy: 'everyone' },
  ...{
    amountKind: 'fixed',
    amountCents: 850,
    minCents: null,
    maxCents: null,
    inParts: false,
    dueDate: '',
    opensOn: '',
  },
  ...{ closesOn: '', numberLabel: '', itemLabel: '', proof: 'amount' },
}
const richTextOf = (text: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})
const alertSource = {
  ...{
    name: 'Weather Service',
    url: 'https://weather.example/feed',
    codes: '',
    zoneIds: [],
    events: '',
    minSeverity: 'Severe',
  },
  ...{ byItself: false, isActive: false },
}
const alertText = {
  ...{ event: 'Flood', category: 'Met', severity: 'Severe', urgency: 'Immediate', certainty: 'Observed' },
  en: { headline: 'The river rises', description: '', instruction: '' },
  es: { headline: '', description: '', instruction: '' },
  ...{ byEmail: true, byText: true, byCall: false, onPages: true, sendAt: '', expiresAt: '2027-12-01T12:00' },
  area: { kind: 'everyone', zoneIds: [], polygons: [], routes: [], formTypeId: '' },
}
const faq = {
  ...{ question: '', answer: richTextOf('On Monday.'), alternatives: '', visibleFrom: '', visibleUntil: '' },
  get categoryId() {
    return String(faqCategory)
  },
}
const loadForm = async () => (await callCompanyApi('muni/return/form/type', { typeId: ownForm })).body
const loadPayment = async () => (await callApi('muni/return/general/payment/type', { typeId: payment })).body
const question = { ...blankField('text', 'dog_name'), label: 'Name of the dog' }
const breed = { ...blankField('text', 'breed'), label: 'Breed' }
const turns = { ...blankField('number', 'turns'), label: 'Turns to open' }
const loadInspection = async () => (await callCompanyApi('muni/return/inspection', { inspectionId: inspection })).body
const stepsIn = (parts: Values) => ({ steps: fromParts(parts).steps })
const fieldSets = async <T>(by: string, what: (work: FieldSetContext) => Promise<T>): Promise<T> => {
  const [firstName, lastName] = by === 'theirs' ? ['Dana', 'Ruiz'] : ['Sam', 'Okafor']
  const session = { kind: 'municipality', personId: 1, firstName, lastName } as Session
  const actor = { session, requestId: 'r1' }
  const company = companyIdFrom('platform', companyId)
  return tenancyOn(portal.db.app)(company, (tx) => what({ tx, clock: portal.clock, actor, company }))
}
/** Runs the work and returns the response that a call would send for its result or error. */
const responseOf = async (work: Promise<unknown>): Promise<ApiResponse> => {
  try {
    await work
    return { status: 200, body: { success: true } } as ApiResponse
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, body: { code: error.code, details: error.details } } as unknown as ApiResponse
  }
}

interface Editable {
  read: () => Promise<Values>
  save: (values: Values, basis: Values, by: string) => Promise<ApiResponse>
  /** Changes of two people to different fields. Null if the form has only one field. */
  separate: readonly [Values, Values] | null
  /**
   * Changes by two people to the same field. Null if the field has only two possible values, or if its entries are
   * merged, which a test below covers.
   */
  collide: readonly [Values, Values] | null
  /**
   * Change to a single field, for records without the two pairs above. If another person saves an outdated form, this
   * change must not be undone.
   */
  alone?: Values
  by?: 'resident'
}

/** All records that two people can edit at the same time, with the fields that the tests change. */
const editables: Record<string, Editable> = {
  'a company by the pencil': {
    read: async () => {
      const { details, hours } = await config()
      return Object.fromEntries(
        Object.entries(pencil).map(([field, stored]) => [field, { ...details, ...hours }[stored]]),
      )
    },
    save: (values, basis, by) => callApi('admin/update/company/details', { ...values, basis }, by),
    separate: [{ city: 'Millbrook' }, { officeHoursClosed: '18:00', phone: '(717) 555-0123' }],
    collide: [{ address: '1 Old Road' }, { address: '2 New Road' }],
  },
  'a saved reply': {
    read: async () => {
      const { savedReplies } = (await callApi('admin/return/support/saved/replies')).body
      return only(
        savedReplies.find(({ id }: { id: number }) => id === savedReply),
        ['title', 'text'],
      )
    },
    save: (values, basis, by) =>
      callApi('admin/save/support/saved/reply', { savedReplyId: savedReply, ...values, basis }, by),
    separate: [{ title: 'Clear the cache' }, { text: 'Please clear the cache.' }],
    collide: [{ text: 'Clear the cache first.' }, { text: 'Restart your browser first.' }],
  },
  'a saved reply for contests': {
    read: async () => {
      const { savedReplies } = (await callCompanyApi('muni/return/parking/contests/saved/replies')).body
      return only(
        savedReplies.find(({ id }: { id: number }) => id === contestReply),
        ['title', 'text'],
      )
    },
    save: (values, basis, by) =>
      callCompanyApi('muni/save/parking/contests/saved/reply', { savedReplyId: contestReply, ...values, basis }, by),
    separate: [{ title: 'Which meter' }, { text: 'Which meter was it?' }],
    collide: [{ text: 'Where was it?' }, { text: 'When was it?' }],
  },
  'a saved reply for requests': {
    read: async () => {
      const { savedReplies } = (await callCompanyApi('muni/return/requests/saved/replies')).body
      return only(
        savedReplies.find(({ id }: { id: number }) => id === requestReply),
        ['title', 'text'],
      )
    },
    save: (values, basis, by) =>
      callCompanyApi('muni/save/requests/saved/reply', { savedReplyId: requestReply, ...values, basis }, by),
    separate: [{ title: 'Which lamp' }, { text: 'Which lamp is it?' }],
    collide: [{ text: 'Where is it?' }, { text: 'Since when?' }],
  },
  'a saved reply for submissions of forms': {
    read: async () => {
      const { savedReplies } = (await callCompanyApi('muni/return/form/submissions/saved/replies')).body
      return only(
        savedReplies.find(({ id }: { id: number }) => id === submissionReply),
        ['title', 'text'],
      )
    },
    save: (values, basis, by) =>
      callCompanyApi('muni/save/form/submissions/saved/reply', { savedReplyId: submissionReply, ...values, basis }, by),
    separate: [{ title: 'Which fence' }, { text: 'Which fence is it?' }],
    collide: [{ text: 'How high is it?' }, { text: 'How long is it?' }],
  },
  'settings of a utility account': {
    read: async () => (await callApi('return/utility/account', { accountId: account }, 'resident')).body.settings,
    save: (settings, basis) => callApi('save/utility/account', { accountId: account, settings, basis }, 'resident'),
    separate: [{ nickname: 'Home', paperless: true }, { usageLimit: '8.5' }],
    collide: [{ nickname: 'The mill' }, { nickname: 'The shop' }],
    by: 'resident',
  },
  'details of a company': {
    ...section('details'),
    separate: [{ offline_msg: 'Back on Monday.' }, { tags: ['pilot'] }],
    collide: [{ license_no: 'A 1' }, { license_no: 'B 2' }],
  },
  'office hours': {
    ...section('hours'),
    separate: [{ office_hours_open: '07:30' }, { office_hours_closed: '17:30' }],
    collide: [{ office_hours_open: '07:00' }, { office_hours_open: '09:00' }],
  },
  modules: {
    ...section('modules'),
    // The other rows use the calls of the other modules.
    separate: [{ '/municipality/reports/phone-payments': 0 }, { '/municipality/manage/bank-payments': 0 }],
    collide: null,
    alone: { '/utility-portal': 0 },
  },
  'tiles of the landing page': {
    ...section('tiles'),
    separate: null,
    collide: [{ tiles: [] }, { tiles: [] }],
  },
  'colors and logo': {
    ...section('theme'),
    separate: [{ background_color: '#8a1c3c' }, { text_color: '#222222' }],
    collide: [{ background_color: '#004400' }, { background_color: '#440000' }],
  },
  'the message to residents': {
    ...section('message'),
    separate: [{ tagline: 'Come in.' }, { site_wide_message: '<p>Hydrants are flushed.</p>' }],
    collide: [{ site_wide_message: '<p>Closed.</p>' }, { site_wide_message: '<p>Open.</p>' }],
  },
  'payment settings': {
    ...section('payments'),
    separate: [{ min_payment: 700 }, { pay_by_phone_number: '717-555-0100', has_pay_by_phone: 1 }],
    collide: [{ max_payment: 90_000 }, { max_payment: 80_000 }],
  },
  'alert services': {
    ...section('alerts'),
    separate: [{ alerts: [{ name: 'Weather' }] }, { others: [{ name: 'Market days' }] }],
    collide: null,
    alone: { essentials: [{ name: 'Ambulance' }] },
  },
  texts: {
    ...section('texts'),
    separate: [{ quiet_from: '20:00' }, { texts_payments: 0 }],
    collide: [{ sms_name: 'The Town' }, { sms_name: 'Town Hall' }],
  },
  announcements: {
    ...section('announcements'),
    separate: null,
    collide: null,
    alone: { announcements: [{ location: 'landing', message: 'Closed on Friday.', until: '2026-12-01' }] },
  },
  contacts: {
    ...section('contacts'),
    separate: null,
    collide: null,
    alone: { contacts: [{ name: 'Gus', title: 'Clerk', phone: '', email: '' }] },
  },
  sharing: { ...section('sharing'), separate: null, collide: null, alone: { shares_records: 0 } },
  'the utility processor': {
    read: async () => {
      const { processor } = (await callApi('admin/return/company/util/processor')).body
      const { processor_id, primary_contact, secondary_contact } = processor[0]
      return { selectedProcessor: processor_id, primaryStaff: primary_contact, secondaryStaff: secondary_contact }
    },
    save: (values, basis, by) =>
      callApi('admin/save/company/util/processor', { ...values, company: companyId, basis }, by),
    separate: [{ primaryStaff: 0 }, { secondaryStaff: 0 }],
    collide: [{ primaryStaff: 0 }, { primaryStaff: 0 }],
  },
  'sign-in rules': {
    read: async () => only((await callApi('admin/return/sign-in/rules')).body, ['requireSecondFactor']),
    save: (values, basis, by) => callApi('admin/save/company/sign-in-rules', { ...values, basis }, by),
    separate: null,
    collide: null,
    alone: { requireSecondFactor: true },
  },
  'the billing system’s hand-off': {
    read: async () => (await sso()).ccs,
    save: (ccs, basis, by) => callApi('admin/save/company/sso', { ccs, basis: { ccs: basis } }, by),
    separate: [{ label: 'Water works' }, { isActive: false }],
    collide: [{ issuer: 'one' }, { issuer: 'two' }],
  },
  'single sign-on': {
    read: async () => ({ ...(await sso()).provider, clientSecret: '' }),
    save: (provider, basis, by) => callApi('admin/save/company/sso', { provider, basis: { provider: basis } }, by),
    separate: [{ label: 'County login' }, { claimEmail: 'mail' }],
    collide: [{ clientSecret: 'secret of mine' }, { clientSecret: 'secret of theirs' }],
  },
  'a member of the staff': {
    read: staff,
    save: (values, basis, by) => callApi('muni/save/municipality/staff', { ...values, personId: elena, basis }, by),
    separate: [{ lastName: 'Kowal' }, { roleId: 4, position: 3 }],
    collide: [{ firstName: 'Helena' }, { firstName: 'Elen' }],
  },
  'a role of the staff': {
    read: async () => {
      const { roles } = (await callApi('muni/return/municipality/roles')).body
      const { name, roleId, masks } = roles.find(({ key }: { key: string }) => key === crewRole)
      return { ...masks, name, roleId }
    },
    save: (values, basis, by) =>
      callApi('muni/save/municipality/role', { ...values, role: crewRole, ...(basis && { basis }) }, by),
    separate: [{ assets: levels.do }, { field_work: levels.manage }],
    collide: [{ requests: levels.view }, { requests: levels.manage }],
  },
  'a department': {
    read: async () => {
      const { departments } = (await callApi('muni/return/municipality/departments')).body
      return only(departments[0], ['name'])
    },
    save: (values, basis, by) =>
      callApi('muni/rename/municipality/department', { ...values, departmentId: department, basis }, by),
    separate: null,
    collide: [{ name: 'Roads' }, { name: 'Ways' }],
  },
  'a member of the platform’s staff': {
    read: async () =>
      only((await callApi('admin/return/platform/staff/member', { personId: caller })).body.person, staffFields),
    save: (values, basis, by) => callApi('admin/save/platform/staff', { ...values, personId: caller, basis }, by),
    separate: [{ lastName: 'Kowal' }, { firstName: 'Toni' }],
    collide: [{ firstName: 'Tonia' }, { firstName: 'Antonia' }],
  },
  'a department of the platform': {
    read: async () => {
      const { departments } = (await callApi('admin/return/platform/departments')).body
      return only(departments[0], ['name'])
    },
    save: (values, basis, by) =>
      callApi('admin/rename/platform/department', { ...values, departmentId: helpdesk, basis }, by),
    separate: null,
    collide: [{ name: 'Help desk' }, { name: 'Service desk' }],
  },
  'a form of the library': {
    read: async () => {
      const { rows } = await portal.owner.query(
        'SELECT title, description, category FROM form_template WHERE id = $1',
        [form],
      )
      return rows[0]
    },
    save: (values, basis, by) => callApi('admin/save/form', { ...values, templateId: form, basis }, by),
    separate: [{ title: 'Dog licence' }, { description: 'Every year.' }],
    collide: [{ title: 'License' }, { title: 'Dogs' }],
  },
  'the questions of a form of the library': {
    read: async () => {
      const { rows } = await portal.owner.query('SELECT source FROM form_template_content WHERE template_id = $1', [
        form,
      ])
      return { source: rows[0]?.source ?? '' }
    },
    save: (values, basis, by) => callApi('admin/save/form/questions', { ...values, templateId: form, basis }, by),
    separate: null,
    collide: [{ source: 'dog-license' }, { source: 'yard-sale' }],
  },
  'a preset of the platform': {
    read: async () => {
      const { rows } = await portal.owner.query('SELECT name FROM import_preset WHERE id = $1', [preset])
      return rows[0]
    },
    save: (values, basis, by) => callApi('admin/rename/import/preset', { ...values, presetId: preset, basis }, by),
    separate: null,
    collide: [{ name: 'Old system' }, { name: 'New system' }],
  },
  'a parcel': {
    read: async () =>
      only((await callApi('muni/return/parcel', { parcelId: parcel })).body, ['address', 'owner', 'landUse']),
    save: (values, basis, by) => callApi('muni/save/parcel', { ...values, parcelId: parcel, basis }, by),
    separate: [{ owner: 'Ada Finch' }, { address: '2 Mill Road', landUse: 'Farm' }],
    collide: [{ owner: 'Bea Finch' }, { owner: 'Cal Finch' }],
  },
  'a violation code': {
    read: async () => {
      const { rows } = (await callApi('muni/return/parking/violations')).body
      const { code, description, amount, active } = rows.find(({ id }: { id: number }) => id === violation)
      return { code, description, amountCents: amount, active: active === 1 }
    },
    save: (values, basis, by) =>
      callApi('muni/save/parking/violation', { ...values, violationId: violation, basis }, by),
    separate: [{ description: 'Meter expired' }, { amountCents: 3000 }],
    collide: [{ amountCents: 3500 }, { amountCents: 4000 }],
  },
  'a work order': {
    read: async () => (await callApi('muni/return/work/order', { orderId: workOrder })).body.details,
    save: (values, basis, by) => callApi('muni/save/work/order', { ...values, orderId: workOrder, basis }, by),
    separate: [{ title: 'Fill two potholes' }, { severity: 0, dueOn: '2026-12-01' }],
    collide: [{ assetName: 'Truck 3' }, { assetName: 'Truck 4' }],
  },
  'a plan of work': {
    read: async () => (await callApi('muni/return/work/plan', { planId: workPlan })).body.form,
    save: (values, basis, by) => callApi('muni/save/work/plan', { ...values, planId: workPlan, basis }, by),
    separate: [{ title: 'Check all pumps' }, { leadDays: 7, checklist: 'Listen' }],
    collide: [{ minutes: 90 }, { minutes: 120 }],
  },
  'a template of work orders': {
    read: async () => (await callApi('muni/return/work/template', { templateId: workTemplate })).body.form,
    save: (values, basis, by) => callApi('muni/save/work/template', { ...values, templateId: workTemplate, basis }, by),
    separate: [{ title: 'Fill large potholes' }, { minutes: 90, checklist: 'Close the lane' }],
    collide: [{ minutes: 60 }, { minutes: 120 }],
  },
  'a crew': {
    read: async () => (await callApi('muni/return/work/crew', { crewId: workCrew })).body.form,
    save: (values, basis, by) => callApi('muni/save/work/crew', { ...values, crewId: workCrew, basis }, by),
    separate: [{ name: 'Streets and lights' }, { active: false }],
    collide: [{ name: 'Roads' }, { name: 'Highways' }],
  },
  'a hydrant': {
    read: async () => (await callCompanyApi('muni/return/hydrant', { hydrantId: hydrant })).body.form,
    save: (values, basis, by) => callCompanyApi('muni/save/hydrant', { ...values, hydrantId: hydrant, basis }, by),
    separate: [{ make: 'Mueller' }, { mainInches: '8', nextInspectionOn: '2027-03-01' }],
    collide: [{ notes: 'Opens to the left.' }, { notes: 'Opens to the right.' }],
  },
  'how hydrants are dealt with': {
    read: async () => (await callCompanyApi('muni/return/hydrant/settings')).body.settings,
    save: (values, basis, by) => callCompanyApi('muni/save/hydrant/settings', { ...values, basis }, by),
    separate: [{ fireEmails: ['chief@fire.example'] }, { flowTestYears: 4 }],
    collide: [{ inspectionMonths: 6 }, { inspectionMonths: 9 }],
  },
  'a note for first responders': {
    read: async () => (await callCompanyApi('muni/open/premise/note', { noteId: note })).body.form,
    save: (values, basis, by) => callCompanyApi('muni/save/premise/note', { ...values, noteId: note, basis }, by),
    separate: [{ text: 'The key is at the bakery.' }, { confirmOn: '2027-09-01', kind: 'hazard' }],
    collide: [{ agreedHow: 'On the phone' }, { agreedHow: 'By letter' }],
  },
  'when an inspection is': {
    read: async () => (await loadInspection()).when,
    save: (values, basis, by) =>
      callCompanyApi('muni/save/inspection', { ...values, inspectionId: inspection, basis }, by),
    separate: [{ dueOn: '2026-12-03' }, { startTime: '10:30' }],
    collide: [{ dueOn: '2026-12-07' }, { dueOn: '2026-12-08' }],
  },
  'what was found at an item': {
    read: async () => {
      const [item] = (await loadInspection()).items
      return { note: item.note, 'answer turns': item.answers.turns ?? null }
    },
    save: (values, basis, by) => {
      const itemBody = (of: Values) => ({
        note: of['note'],
        answers: of['answer turns'] === null ? {} : { turns: of['answer turns'] },
      })
      return callCompanyApi(
        'muni/answer/inspection/item',
        { ...itemBody(values), itemId: item, basis: itemBody(basis) },
        by,
      )
    },
    separate: [{ note: 'Stiff' }, { 'answer turns': 14 }],
    collide: [{ note: 'Hard to turn' }, { note: 'Easy to turn' }],
  },
  'a template of inspections': {
    read: async () => (await callCompanyApi('muni/return/inspection/template', { templateId: template })).body.form,
    save: (values, basis, by) =>
      callCompanyApi('muni/save/inspection/template', { ...values, templateId: template, basis }, by),
    separate: [{ name: 'Hydrants each year' }, { everyMonths: 6 }],
    collide: [{ certificate: 'In order.' }, { certificate: 'It works.' }],
  },
  'the items of a template': {
    read: async () => {
      const { steps } = (await callCompanyApi('muni/return/inspection/template', { templateId: template })).body.draft
      return toParts({ name: '', steps })
    },
    save: (values, basis, by) => {
      const [definition, before] = [stepsIn(values), stepsIn(basis)]
      return callCompanyApi('muni/save/inspection/items', { templateId: template, definition, basis: before }, by)
    },
    separate: [
      { 'field turns': { ...turns, help: 'Count them.' } },
      { 'step valve': { id: 'valve', title: 'The valve', intro: '', showWhen: null } },
    ],
    collide: [
      { 'field turns': { ...turns, label: 'Turns of the key' } },
      { 'field turns': { ...turns, label: 'How many turns' } },
    ],
  },
  'a parking ticket': {
    read: async () => (await callApi('muni/return/parking/ticket', { ticketId: ticket })).body.details,
    save: (values, basis, by) => callApi('muni/save/parking/ticket', { ...values, ticketId: ticket, basis }, by),
    separate: [{ vehicle: 'Red Ford' }, { plate: 'ABC123', issuedTime: '09:45' }],
    collide: [{ officer: 'Ada Finch' }, { officer: 'Bea Finch' }],
  },
  'the hearing of a contest': {
    read: async () => {
      const { contest } = (await callApi('muni/return/parking/ticket', { ticketId: contested })).body
      return only(contest, ['hearingDate', 'hearingTime', 'hearingLocation'])
    },
    save: (values, basis, by) => callApi('muni/set/parking/hearing', { ...values, ticketId: contested, basis }, by),
    separate: [{ hearingLocation: 'Room 3' }, { hearingTime: '14:30' }],
    collide: [{ hearingDate: '2026-12-07' }, { hearingDate: '2026-12-08' }],
  },
  'a category of requests': {
    read: async () => {
      const { rows } = (await callApi('muni/return/request/categories')).body
      const row = rows.find(({ id }: { id: number }) => id === category)
      return { ...only(row, CATEGORY), active: row.active === 1 }
    },
    save: (values, basis, by) => callApi('muni/save/request/category', { ...values, categoryId: category, basis }, by),
    separate: [{ name: 'Hole in the road' }, { targetDays: 7, onMap: false }],
    collide: [{ hint: 'Call 911.' }, { hint: 'Call the office.' }],
  },
  'what a category of requests asks': {
    read: async () => {
      const { draft } = (await callApi('muni/return/request/category/fields', { categoryId: category })).body
      return toParts({ name: '', steps: draft.steps })
    },
    save: (values, basis, by) =>
      callApi(
        'muni/save/request/category/fields',
        { categoryId: category, definition: stepsIn(values), basis: stepsIn(basis) },
        by,
      ),
    separate: [
      { 'field breed': { ...breed, help: 'As far as you know.' } },
      { 'step dog': { id: 'dog', title: 'Your dog', intro: '', showWhen: null } },
    ],
    collide: [
      { 'field breed': { ...breed, label: 'Kind of dog' } },
      { 'field breed': { ...breed, label: 'Its breed' } },
    ],
  },
  'how requests are dealt with': {
    read: async () => (await callApi('muni/return/request/settings')).body.settings,
    save: (values, basis, by) => callApi('muni/save/request/settings', { ...values, basis }, by),
    separate: [{ reopenDays: 12 }, { hasMap: false, workDays: [1, 2, 3, 4] }],
    collide: [{ reopenDays: 20 }, { reopenDays: 25 }],
  },
  'a saved reply for moves': {
    read: async () => {
      const { savedReplies } = (await callCompanyApi('muni/return/moves/saved/replies')).body
      return only(
        savedReplies.find(({ id }: { id: number }) => id === moveReply),
        ['title', 'text'],
      )
    },
    save: (values, basis, by) =>
      callCompanyApi('muni/save/moves/saved/reply', { savedReplyId: moveReply, ...values, basis }, by),
    separate: [{ title: 'Other name' }, { text: 'Other words.' }],
    collide: [{ text: 'Mine.' }, { text: 'Theirs.' }],
  },
  'how moves are dealt with': {
    read: async () => (await callApi('muni/return/move/settings')).body.settings,
    save: (values, basis, by) => callApi('muni/save/move/settings', { ...values, basis }, by),
    separate: [{ leadDays: 5 }, { forGuests: false }],
    collide: [{ leadDays: 6 }, { leadDays: 7 }],
  },
  'what is set of something that is rented out': {
    read: async () => (await callApi('muni/return/rental/resource', { resourceId })).body.form,
    save: (values, basis, by) => callApi('muni/save/rental/resource', { ...values, resourceId, basis }, by),
    separate: [{ capacity: 50 }, { depositCents: 5000 }],
    collide: [{ resourceRules: 'Mine.' }, { resourceRules: 'Theirs.' }],
  },
  'the questions about something that is rented out': {
    read: async () => {
      const { draft } = (await callApi('muni/return/rental/fields', { resourceId })).body
      return toParts({ name: '', steps: draft.steps })
    },
    save: (values, basis, by) =>
      callApi('muni/save/rental/fields', { resourceId, definition: stepsIn(values), basis: stepsIn(basis) }, by),
    separate: [
      { 'field breed': { ...breed, help: 'As its papers say.' } },
      { 'step dog': { id: 'dog', title: 'Your dog', intro: '', showWhen: null } },
    ],
    collide: [
      { 'field breed': { ...breed, label: 'Kind of dog' } },
      { 'field breed': { ...breed, label: 'Its breed' } },
    ],
  },
  'the terms of a round of applications': {
    read: async () => (await callApi('muni/return/rental/round', { roundId })).body.form,
    save: (values, basis, by) => callApi('muni/save/rental/round', { ...values, roundId, basis }, by),
    separate: [{ maxHours: 8 }, { groups: ['Youth leagues'] }],
    collide: [{ text: 'Mine.' }, { text: 'Theirs.' }],
  },
  'the days of a move': {
    read: async () => {
      const { leavesOn, entersOn } = (await callCompanyApi('muni/return/move', { subjectId: moveId })).body.move
      return { leavesOn, entersOn }
    },
    save: (values, basis, by) => callCompanyApi('muni/change/move/days', { ...values, subjectId: moveId, basis }, by),
    separate: [{ leavesOn: '2026-12-02' }, { entersOn: '2026-12-03' }],
    collide: [{ leavesOn: '2026-12-04' }, { leavesOn: '2026-12-05' }],
  },
  'another portal': {
    read: async () => (await callCompanyApi('muni/return/other/portal', { portalId: otherPortal })).body.form,
    save: (form, basis, by) =>
      callCompanyApi('muni/save/other/portal', { ...form, portalId: otherPortal, apiKey: '', basis }, by),
    separate: [{ name: 'County Works' }, { active: false, followsStatus: false }],
    collide: [{ jurisdictionId: 'county.example' }, { jurisdictionId: 'state.example' }],
  },
  'what everybody may read by Open311': {
    read: async () => (await callCompanyApi('muni/return/open311/settings')).body.settings,
    save: (values, basis, by) => callCompanyApi('muni/save/open311/settings', { ...values, basis }, by),
    separate: null,
    collide: null,
    alone: { publishPhotos: true },
  },
  'how parking tickets are dealt with': {
    read: async () => (await callApi('muni/return/parking/settings')).body.settings,
    save: (values, basis, by) => callApi('muni/save/parking/settings', { ...values, basis }, by),
    separate: [{ dueDays: 21 }, { hearingLocation: 'Room 2', bootDays: 90 }],
    collide: [{ alternatives: 'Come to court.' }, { alternatives: 'Work for the town.' }],
  },
  'the rules of payment arrangements': {
    read: async () => (await callApi('muni/return/arrangement/rules')).body.rules,
    save: (values, basis, by) => callApi('muni/save/arrangement/rules', { ...values, basis }, by),
    separate: [{ graceDays: 10 }, { maxInstallments: 8, terms: 'I agree.' }],
    collide: [{ maxDays: 100 }, { maxDays: 200 }],
  },
  'what the provider reported on Form 1099-K': {
    read: async () => (await callCompanyApi('muni/return/form/1099k', { year: 2025 })).body.reported.form,
    save: (values, basis, by) => callCompanyApi('muni/save/form/1099k', { ...values, year: 2025, basis }, by),
    separate: [{ payee: 'Borough of Maple Grove' }, { gross: '1250.00', mar: '250.00' }],
    collide: [{ transactions: '11' }, { transactions: '12' }],
  },
  'the account numbers of the general ledger': {
    read: async () => (await callCompanyApi('muni/return/gl/accounts')).body.numbers,
    save: (values, basis, by) => callCompanyApi('muni/save/gl/accounts', { ...values, basis }, by),
    separate: [{ bank: '1010' }, { office_cash: '1020', fee_revenue: '4100' }],
    collide: [{ provider_cost: '5100' }, { provider_cost: '5200' }],
  },
  'what the town wants of registrations': {
    read: async () => (await callApi('muni/return/registration/settings')).body.settings,
    save: (values, basis, by) => callApi('muni/save/registration/settings', { ...values, basis }, by),
    separate: [{ inspectionMonths: 12 }, { householdAtOnce: false, renewAtOnce: false }],
    collide: [{ inspectionMonths: 18 }, { inspectionMonths: 36 }],
  },
  'what is asked of a registration': {
    read: async () => {
      const { draft } = (await callApi('muni/return/registration/fields', { kind: 1 })).body
      return toParts({ name: '', steps: draft.steps })
    },
    save: (values, basis, by) =>
      callApi('muni/save/registration/fields', { kind: 1, definition: stepsIn(values), basis: stepsIn(basis) }, by),
    separate: [
      { 'field breed': { ...breed, help: 'As far as you know.' } },
      { 'step dog': { id: 'dog', title: 'Your dog', intro: '', showWhen: null } },
    ],
    collide: [
      { 'field breed': { ...breed, label: 'Kind of dog' } },
      { 'field breed': { ...breed, label: 'Its breed' } },
    ],
  },
  'a registration in two tabs': {
    read: async () => {
      const { answers, where } = (await callApi('return/registration', { id: registration }, 'resident')).body
      return { ...answers, location: where }
    },
    save: ({ location, ...answers }, basis) =>
      callApi('save/registration', { id: registration, location, answers, basis }, 'resident'),
    separate: [{ household_name: 'Whitaker and Lee' }, { key_holder: 'The neighbor', needs: ['hear'] }],
    collide: [{ needs_words: 'Ring twice.' }, { needs_words: 'Knock.' }],
    by: 'resident',
  },
  'a payment type': {
    read: async () => (await loadPayment()).form,
    save: (form, basis, by) => callApi('muni/save/general/payment/type', { typeId: payment, form, basis }, by),
    separate: [{ title: 'Dog licence' }, { glAccount: '321.95', amountCents: 900 }],
    collide: [{ description: 'Each year.' }, { description: 'Every year.' }],
  },
  'the fields of a payment type': {
    read: async () => {
      const { steps } = (await loadPayment()).draft
      return toParts({ name: '', steps })
    },
    save: (values, basis, by) =>
      callApi(
        'muni/save/general/payment/fields',
        { typeId: payment, definition: stepsIn(values), basis: stepsIn(basis) },
        by,
      ),
    separate: [
      { 'field breed': { ...breed, help: 'As its papers say.' } },
      { 'step dog': { id: 'dog', title: 'Your dog', intro: '', showWhen: null } },
    ],
    collide: [
      { 'field breed': { ...breed, label: 'Kind of dog' } },
      { 'field breed': { ...breed, label: 'Its breed' } },
    ],
  },
  'a form of the town': {
    read: async () => (await loadForm()).form,
    save: (form, basis, by) => callCompanyApi('muni/save/form/type', { typeId: ownForm, form, basis }, by),
    separate: [{ title: 'Fences' }, { description: 'For a new fence.' }],
    collide: [{ description: 'Each fence.' }, { description: 'Every fence.' }],
  },
  'the fields of a form of the town': {
    read: async () => {
      const { steps } = (await loadForm()).draft
      return toParts({ name: '', steps })
    },
    save: (values, basis, by) =>
      callCompanyApi(
        'muni/save/form/fields',
        { typeId: ownForm, definition: stepsIn(values), basis: stepsIn(basis) },
        by,
      ),
    separate: [
      { 'field breed': { ...breed, help: 'As its papers say.' } },
      { 'step dog': { id: 'dog', title: 'Your dog', intro: '', showWhen: null } },
    ],
    collide: [
      { 'field breed': { ...breed, label: 'Kind of dog' } },
      { 'field breed': { ...breed, label: 'Its breed' } },
    ],
  },
  'what is written into which field of a PDF': {
    read: async () => {
      const { rows } = await portal.owner.query('SELECT mapping FROM form_pdf WHERE type_id = $1', [ownForm])
      return Object.fromEntries(rows[0].mapping.map((link: { pdf: string; name: string }) => [link.pdf, link.name]))
    },
    save: (links, basis, by) => callCompanyApi('muni/save/form/pdf/links', { typeId: ownForm, links, basis }, by),
    separate: [{ Name: 'breed' }, { Breed: 'breed' }],
    collide: [{ Fee: 'breed' }, { Fee: '' }],
  },
  'an alert that is a draft': {
    read: async () => (await callCompanyApi('muni/return/alert', { alertId })).body.form,
    save: (form, basis, by) => callCompanyApi('muni/save/alert', { alertId, form, basis }, by),
    separate: [{ event: 'High water' }, { byText: false, severity: 'Minor' }],
    collide: [
      { en: { headline: 'The river falls', description: '', instruction: '' } },
      { en: { headline: 'The river stands', description: '', instruction: '' } },
    ],
  },
  'a source of alerts': {
    read: async () => (await callCompanyApi('muni/return/alert/source', { sourceId })).body.form,
    save: (form, basis, by) => callCompanyApi('muni/save/alert/source', { sourceId, form, basis }, by),
    separate: [{ codes: 'PAC041' }, { minSeverity: 'Moderate' }],
    collide: [{ name: 'NWS' }, { name: 'Weather Office' }],
  },
  'a template of alerts': {
    read: async () => (await callCompanyApi('muni/return/alert/editor')).body.templates[0].form,
    save: (form, basis, by) =>
      callCompanyApi('muni/save/alert/template', { ...form, templateId: alertTemplateId, basis }, by),
    separate: [{ name: 'River high' }, { en: { headline: 'The river rises', description: '', instruction: 'Leave.' } }],
    collide: [{ event: 'River' }, { event: 'High water' }],
  },
  'services that residents are alerted of': {
    read: async () => (await callCompanyApi('muni/return/alert/editor')).body.names,
    save: (values, basis, by) => callCompanyApi('muni/save/alert/services', { ...values, basis }, by),
    separate: [{ alerts: [{ name: 'Emergencies' }, { name: 'Weather' }] }, { others: [{ name: 'Market days' }] }],
    collide: [{ essentials: [{ name: 'Drinking water' }] }, { essentials: [{ name: 'Water and sewer' }] }],
  },
  'when a second person looks at alerts': {
    read: async () => ({
      approvalOver: String((await callCompanyApi('muni/return/alert/editor')).body.approvalOver),
    }),
    save: (values, basis, by) => callCompanyApi('muni/save/alert/settings', { ...values, basis }, by),
    separate: null,
    collide: [{ approvalOver: '100' }, { approvalOver: '200' }],
  },
  'a question and its answer': {
    read: async () => (await callCompanyApi('muni/return/faq/question', { faqId: faqs[0] })).body.form,
    save: (form, basis, by) => callCompanyApi('muni/save/faq/question', { faqId: faqs[0], form, basis }, by),
    separate: [{ question: 'When is trash picked up?' }, { alternatives: 'garbage day', visibleUntil: '2027-01-31' }],
    collide: [{ answer: richTextOf('On Tuesday.') }, { answer: richTextOf('On Wednesday.') }],
  },
  'a fee rule that lies ahead': {
    read: async () => (await callCompanyApi('muni/return/fee/rule', { ruleId: feeRuleId })).body.form,
    save: (values, basis, by) => callCompanyApi('muni/save/fee/rule', { ruleId: feeRuleId, form: values, basis }, by),
    separate: [{ fixedCents: 250 }, { minCents: 100 }],
    collide: [{ fixedCents: 300 }, { fixedCents: 320 }],
  },
  'a category of questions': {
    read: async () => {
      const { categories } = (await callCompanyApi('muni/return/faq/categories')).body
      return only(
        categories.find(({ id }: { id: number }) => id === faqCategory),
        ['name'],
      )
    },
    save: (values, basis, by) =>
      callCompanyApi('muni/save/faq/category', { categoryId: faqCategory, ...values, basis }, by),
    separate: null,
    collide: [{ name: 'Trash and carts' }, { name: 'Trash and recycling' }],
  },
  'the order of questions': {
    read: async () => {
      const { categories } = (await callCompanyApi('muni/return/faq/categories')).body
      const { faqs: rows } = categories.find(({ id }: { id: number }) => id === faqCategory)
      return { order: rows.map(({ id }: { id: number }) => id) }
    },
    save: (values, basis, by) =>
      callCompanyApi('muni/order/faq/questions', { categoryId: faqCategory, ...values, basis }, by),
    separate: null,
    collide: [{ order: [] }, { order: [] }],
  },
  'words that mean the same to the search': {
    read: async () => only((await callCompanyApi('muni/return/faq/synonyms')).body, ['groups']),
    save: (values, basis, by) => callCompanyApi('muni/save/faq/synonyms', { ...values, basis }, by),
    separate: null,
    collide: [{ groups: ['trash waste'] }, { groups: ['trash rubbish'] }],
  },
  'fields that staff define': {
    read: async () => {
      const { name, draft } = await fieldSets('mine', (work) => readFieldSet(work, fieldSet))
      return toParts({ name, steps: draft.steps })
    },
    save: (values, basis, by) =>
      responseOf(fieldSets(by, (work) => saveFieldSet(work, fieldSet, fromParts(values), fromParts(basis)))),
    separate: [
      { 'field dog_name': { ...question, help: 'As it is called.' } },
      { 'step dog': { id: 'dog', title: 'Your dog', intro: '', showWhen: null } },
    ],
    collide: [
      { 'field dog_name': { ...question, label: 'How is it called?' } },
      { 'field dog_name': { ...question, label: 'Its name' } },
    ],
  },
  'a profile in two tabs': {
    read: async () =>
      only((await callApi('return/profile/user', {}, 'resident')).body.user, [
        ...['first_name', 'last_name', 'service_address', 'city', 'state', 'zipcode', 'mobile_no', 'email'],
      ]),
    save: (formData, basis) => callApi('save/profile/user', { formData, basis }, 'resident'),
    separate: [{ city: 'Newport' }, { zipcode: '17074', mobile_no: '7175550188' }],
    collide: [{ service_address: '9 Elm Street' }, { service_address: '9 Elm Avenue' }],
    by: 'resident',
  },
  'how a person is reached': {
    read: async () =>
      only((await callApi('return/profile/user', {}, 'resident')).body.user, [
        ...['primary_contact_method', 'active_email_alerts', 'active_phone_alerts'],
      ]),
    save: (values, basis) => callApi('save/profile/contact', { ...values, basis }, 'resident'),
    separate: [{ primary_contact_method: 2 }, { active_email_alerts: 'i' }],
    collide: [{ primary_contact_method: 1 }, { primary_contact_method: 3 }],
    by: 'resident',
  },
}

/**
 * Calls that do not merge, each with the reason why no data can be lost. For example, status changes follow a state
 * machine (`test/states.test.ts`).
 */
const unmerged: Record<string, string> = {
  'admin/save/company/logo/details': 'one file, whole',
  'change/my/rental': 'a resident puts their own reservation at another time, and their last word counts',
  'change/communication/following': 'one value, of the person’s own',
  'change/profile/email': 'one value, behind the password',
  'change/profile/password': 'one value, behind the password',
  'muni/change/billing/file': 'a step of a machine',
  'muni/change/communication/category': 'one value, which names what it was before',
  'muni/change/communication/categories': 'one value for several requests, and the last choice counts',
  'muni/set/work/orders/due': 'one value for several work orders, and the last choice counts',
  'muni/save/company/map': 'one file, whole',
  'muni/save/field/conflict': 'only adds',
  'muni/save/setup/choice': 'one value, and the last choice counts',
  'muni/update/starter/item': 'merges, and a hash of the comparison refuses a later change',
  'rename/profile/passkey': 'one name, of the person’s own',
  'rename/view': 'one name, of the person’s own',
  'save/alert/choices': 'a resident’s own choice, whose last word counts',
  'save/cart': 'only adds',
  'save/communication/file': 'only adds',
  'save/form/draft': 'a resident’s own draft, and their last word counts',
  'save/autopay': 'agreed to anew as a whole, by the one who pays',
  'save/registration/draft': 'a resident’s own draft, and their last word counts',
  'save/rental/draft': 'a resident’s own draft, and their last word counts',
  'save/my/rental/application': 'a resident’s own application, and their last word counts',
  'save/person/setting': 'one value, of the person’s own',
  'save/preview/step': 'only adds',
  'save/profile/passkey': 'only adds',
  'save/view': 'one view, of the person’s own',
  'set/phone/pin': 'one value, of the person’s own',
  'set/profile/password': 'one value, behind a link that works once',
}

/** Returns the entry with ids filled in, which are known only when the tests run. */
function filled(name: string): Editable {
  const editable = editables[name]
  if (!editable) throw new Error(`nothing is called ${name}`)
  const tile = (title: string) => ({
    ...{ name: title, desc: '', active: 1, route: '/utility-portal', image: 'cog', button_text: '' },
  })
  if (name === 'tiles of the landing page')
    return { ...editable, collide: [{ tiles: [tile('Mine')] }, { tiles: [tile('Theirs')] }] }
  const [first, second, third] = faqs
  if (name === 'the order of questions')
    return { ...editable, collide: [{ order: [second, first, third] }, { order: [third, second, first] }] }
  if (name === 'the utility processor')
    return {
      ...editable,
      separate: [{ primaryStaff: elena }, { secondaryStaff: dana }],
      collide: [{ primaryStaff: marcus }, { primaryStaff: noor }],
    }
  return editable
}

const digits = (value: unknown) =>
  typeof value === 'string' && /^\D*(?:\d\D*){10}$/.test(value) ? value.replaceAll(/\D/g, '') : value
const plain = (values: Values) =>
  Object.fromEntries(Object.entries(values).map(([field, value]) => [field, digits(value)]))

beforeAll(async () => {
  const jwksUrl = 'https://billing.example/keys'
  await callApi('admin/save/company/sso', {
    ccs: { isActive: true, label: 'Billing', issuer: 'billing', jwks: '', jwksUrl },
    provider: {
      ...{ isActive: false, label: 'County', issuer: 'https://login.example.gov', clientId: 'maple' },
      ...{ clientSecret: 'first secret', audience: 'residents', claimEmail: 'email' },
      ...{ claimFirstName: 'given_name', claimLastName: 'family_name', countsAsSecondFactor: false },
    },
  })
  const people = { primaryStaff: marcus, secondaryStaff: judith }
  await callApi('admin/save/company/util/processor', { company: companyId, selectedProcessor: 1, ...people })
})

const all = Object.keys(editables)
/**
 * `npm test` runs the tests with two people for half of the entries. The larger test layers run them for all entries.
 */
const ofTwo = sampleOf(all, 2)
const done = { success: true }

describe('edits in two browsers', () => {
  it.each(ofTwo.filter((name) => editables[name]?.separate))(
    'saves both changes to different fields of %s',
    async (name) => {
      const { read, save, separate } = filled(name)
      const opened = await read()
      const [others, own] = separate ?? [{}, {}]
      expect((await save({ ...opened, ...others }, opened, 'theirs')).body).toMatchObject(done)
      expect((await save({ ...opened, ...own }, opened, 'mine')).body).toMatchObject(done)
      expect(plain(await read())).toMatchObject(plain({ ...others, ...own }))
    },
  )

  it.each(ofTwo.filter((name) => editables[name]?.collide))(
    'shows both changes to one field of %s, for a choice',
    async (name) => {
      const { read, save, collide, by } = filled(name)
      const opened = await read()
      const [others, own] = collide ?? [{}, {}]
      expect((await save({ ...opened, ...others }, opened, 'theirs')).body).toMatchObject(done)
      const between = await read()
      const refused = await save({ ...opened, ...own }, opened, 'mine')
      expect(refused).toMatchObject({ status: 409, body: { code: 'edit_conflict' } })
      const { fieldConflicts, now, merged } = refused.body.details
      const [field = ''] = Object.keys(own)
      const secret = field === 'clientSecret'
      const expected = secret ? { own: '', others: '' } : { own: own[field], others: between[field] }
      const actor = by ? expect.stringMatching(/^\w+ \w+$/) : 'Dana Ruiz'
      expect(fieldConflicts).toMatchObject([{ field, ...expected, by: actor, at: '2026-11-20T15:00:00.000Z' }])
      expect(await read()).toEqual(between)
      // In the conflict, the person chooses their own value. The form sends this value again, now with the stored
      // values as its basis.
      const chosen = await save({ ...opened, ...merged, ...own }, { ...opened, ...now }, 'mine')
      expect(chosen.body).toMatchObject(done)
      if (secret) expect((await read())['secretMark']).not.toBe(between['secretMark'])
      else expect(await read()).toMatchObject(own)
    },
  )

  it.each(all.filter((name) => editables[name]?.separate ?? editables[name]?.collide))(
    'leaves typed values in the form of %s while another person saves',
    async (name) => {
      const { read, save, separate, collide } = filled(name)
      const opened = await read()
      const [first, second] = separate ?? collide ?? [{}, {}]
      const isNew = (edit: Values) => Object.entries(edit).some(([field, value]) => !same(opened[field], value))
      // Swaps the two people's values if an earlier test has already saved the first ones.
      const [others, own] = isNew(first) ? [first, second] : [second, first]
      const typed = isNew(own) ? own : { ...own, [Object.keys(own)[0] ?? '']: 'Typed just now' }
      expect((await save({ ...opened, ...others }, opened, 'theirs')).body).toMatchObject(done)
      const now = await read()
      const { values, basis } = await typeWhileOthersSave(opened, typed, now)
      expect(values).toMatchObject(typed)
      // The save also sends the values that the form opened with. The server needs them to merge the values or to show
      // both versions.
      expect(basis).toEqual(opened)
      expect((await typeWhileOthersSave(opened, {}, now)).values).toEqual(now)
    },
  )

  it.each(all)('undoes no change with a stale, unchanged form of %s', async (name) => {
    const { read, save, separate, collide, alone } = filled(name)
    const opened = await read()
    const edits = [...(collide ?? []), ...(separate ?? []), ...(alone ? [alone] : [])].flatMap(Object.entries)
    // Chooses a value that is not stored yet. A secret is never returned, so any value differs from it.
    const [field, value] = edits.find(([key, edit]) => JSON.stringify(opened[key]) !== JSON.stringify(edit)) ?? [
      '',
      null,
    ]
    expect((await save({ ...opened, [field]: value }, opened, 'theirs')).body).toMatchObject(done)
    const between = await read()
    expect(between).not.toEqual(opened)
    expect((await save(opened, opened, 'mine')).body).toMatchObject(done)
    expect(await read()).toEqual(between)
  })
})

describe('a checklist item that two people tick', () => {
  it('keeps an unseen tick and accepts the same tick twice', async () => {
    await callApi('muni/add/work/task', { orderId: workOrder, text: 'Close the lane' })
    const tick = (ticked: boolean, doneBy: string, by: string) =>
      callApi('muni/tick/work/task', { orderId: workOrder, no: 1, done: ticked, basis: { doneBy } }, by)
    expect((await tick(true, '', 'theirs')).body).toMatchObject(done)
    expect((await tick(true, '', 'mine')).body).toMatchObject(done)
    const refused = await tick(false, 'Sam Okafor', 'mine')
    expect(refused).toMatchObject({ status: 409, body: { code: 'edit_conflict' } })
    expect(refused.body.details.fieldConflicts).toMatchObject([
      { label: 'Close the lane', others: 'Dana Ruiz', own: '' },
    ])
    expect((await tick(false, 'Dana Ruiz', 'mine')).body).toMatchObject(done)
  })
})

describe('lists that two people edit', () => {
  const contact = (name: string, phone = '') => ({ name, title: '', phone, email: '' })
  const { read, save } = section('contacts')
  const names = async () => (await config()).contacts.contacts.map((one: { name: string }) => one.name)

  it('keep the additions, changes and removals of both', async () => {
    await save({ contacts: [contact('Ann'), contact('Ben'), contact('Cy')] }, await read(), 'mine')
    const opened = await read()
    await save(
      { contacts: [contact('Ann', '7175550101'), contact('Ben'), contact('Cy'), contact('Di')] },
      opened,
      'theirs',
    )
    const saved = await save({ contacts: [contact('Eve'), contact('Ann'), contact('Cy')] }, opened, 'mine')
    expect(saved.body).toMatchObject({ success: true })
    expect(await names()).toEqual(['Eve', 'Ann', 'Cy', 'Di'])
    expect((await config()).contacts.contacts[1].phone).toBe('7175550101')
  })

  it('offer both versions in one list if both changed an entry', async () => {
    await save({ contacts: [contact('Ann'), contact('Ben')] }, await read(), 'mine')
    const opened = await read()
    await save({ contacts: [contact('Ann', '7175550101'), contact('Ben'), contact('Flo')] }, opened, 'theirs')
    const refused = await save({ contacts: [contact('Ann', '7175550102'), contact('Ben')] }, opened, 'mine')
    const [fieldConflict] = refused.body.details.fieldConflicts
    expect(fieldConflict).toMatchObject({ field: 'contacts', label: 'Contacts', by: 'Dana Ruiz' })
    expect(fieldConflict.texts.others).toContain('7175550101')
    expect(fieldConflict.both.map((one: { name: string; phone: string }) => one.name + one.phone)).toEqual([
      ...['Ann7175550102', 'Ann7175550101', 'Ben', 'Flo'],
    ])
  })

  it('keep a moved entry in place when another person adds one', async () => {
    await save({ contacts: [contact('Ann'), contact('Ben'), contact('Cy')] }, await read(), 'mine')
    const opened = await read()
    await save({ contacts: [contact('Ann'), contact('Ben'), contact('Cy'), contact('Di')] }, opened, 'theirs')
    await save({ contacts: [contact('Cy'), contact('Ann'), contact('Ben')] }, opened, 'mine')
    expect(await names()).toEqual(['Cy', 'Di', 'Ann', 'Ben'])
  })
})

describe('privileges that two people edit', () => {
  const path = 'muni/save/municipality/staff/privileges'
  const loadPrivileges = async (member = 'muni/return/municipality/staff/member', personId = marcus) =>
    (await callApi(member, { personId })).body.privileges
  const save = (privileges: Values | null, basis: Values, by: string) =>
    callApi(path, { personId: marcus, privileges, basis }, by)
  const { view, create, update } = rights

  it('keep a revoked permission revoked despite an older form', async () => {
    const opened = {
      transaction_management: view | create | update,
      dashboard: view | update,
      utility_management: view,
    }
    expect((await save(opened, await masks(), 'mine')).status).toBe(200)
    const before = await masks()
    await save({ ...before, transaction_management: view }, before, 'theirs')
    const saved = await save({ ...before, dashboard: view }, before, 'mine')
    expect(saved.status).toBe(200)
    expect(await loadPrivileges()).toMatchObject({ transaction_management: view, dashboard: view })
  })

  it('merge the permissions of a sub-module separately', async () => {
    const before = { ...(await masks()), transaction_management: view | create }
    await save(before, await masks(), 'mine')
    await save({ ...before, transaction_management: view }, before, 'theirs')
    await save({ ...before, transaction_management: view | create | update }, before, 'mine')
    expect(await loadPrivileges()).toMatchObject({ transaction_management: view | update })
  })

  it('are not saved without a basis', async () => {
    expect((await callApi(path, { personId: marcus, privileges: { dashboard: view } })).status).toBe(400)
  })

  it('are merged for platform staff as well', async () => {
    const all = () => loadPrivileges('admin/return/platform/staff/member', caller).then(labelled)
    const opened = await all()
    const [one = '', other = ''] = Object.keys(opened).filter((name) => opened[name])
    for (const [name, by] of [
      [one, 'theirs'],
      [other, 'mine'],
    ] as const) {
      const sent = { personId: caller, privileges: { ...opened, [name]: 0 }, basis: opened }
      expect((await callApi('admin/save/platform/staff/privileges', sent, by)).body).toMatchObject(done)
    }
    expect(await all()).toEqual({ ...opened, [one]: 0, [other]: 0 })
  })

  async function masks(): Promise<Record<string, number>> {
    return labelled(await loadPrivileges())
  }
  /** Returns only the bits that have a label, because only these appear in the matrix. */
  function labelled(masks: Record<string, number>): Record<string, number> {
    return Object.fromEntries(
      policyNames.filter((name) => name in masks).map((name) => [name, (masks[name] ?? 0) & labelledMask(name)]),
    )
  }
})

describe('conflicts that are not merged', () => {
  it('names the person who took over a support request first', async () => {
    const { rows } = await portal.owner.query(
      `SELECT id, (SELECT id FROM platform_person WHERE email = 'dana@mainstreet.example') AS dana,
        (SELECT id FROM platform_person WHERE email = 'super@mainstreet.example') AS super FROM (VALUES (1)) AS v (id)`,
    )
    const sent = await portal.post(
      MAPLE,
      'send/support/request',
      { name: 'Ann Reese', email: 'ann@example.com', phone: '', category: 'site', message: 'The page stays white.' },
      { headers: { 'idempotency-key': 'a-key-of-this-test-1' } },
    )
    expect(sent.status).toBe(200)
    const { rows: requests } = await portal.owner.query('SELECT id FROM support_request')
    const requestId = requests[0].id
    const assign = (personId: number, from: number | null, by: string) =>
      callApi('admin/assign/support/request', { subjectId: requestId, personId, from }, by)
    expect((await assign(rows[0].dana, null, 'theirs')).status).toBe(200)
    const late = await assign(rows[0].super, null, 'mine')
    expect(late).toMatchObject({ status: 409, body: { message: expect.stringContaining('Dana Ruiz') } })
    expect((await assign(rows[0].super, rows[0].dana, 'mine')).status).toBe(200)
  })

  it('reports a save after the comparison of an import', async () => {
    const source = { kind: 'defaults' }
    const { basis } = (await callApi('admin/compare/company/config/import', { source })).body
    await callApi(
      'admin/save/company/config',
      { section: 'message', values: { tagline: 'New.', site_wide_message: '' } },
      'theirs',
    )
    const late = await callApi('admin/import/company/config', { source, basis })
    expect(late).toMatchObject({ status: 409, body: { message: expect.stringContaining('Dana Ruiz') } })
    expect((await config()).message.tagline).toBe('New.')
  })
})

describe('every call that changes data', () => {
  const posts = allCalls.map(({ endpoint }) => endpoint).filter(({ method }) => method === 'POST')
  const merges = ({ body }: Endpoint) => 'basis' in ((z.toJSONSchema(body, asSent) as Shape).properties ?? {})

  /**
   * Calls that do not merge. If the sent amounts are outdated, they refuse the action (`test/money-actions.test.ts`).
   */
  const moneyActions = [
    'muni/correct/drawer',
    'muni/refund/rental',
    'muni/inspect/rental',
    'muni/transition/recon/exception',
    'muni/open/bank/line',
    'muni/refund/payment',
    'muni/resolve/recon/exception',
    'muni/void/payment',
  ]

  it('is tested here with two people if it merges', () => {
    const elsewhere = [
      'admin/restore/company/config/version',
      // The first decision of an item is final. `inspections.test.ts` tests the numbers that two people enter.
      ...['transition', 'pass', 'fail'].map((step) => `muni/${step}/inspection/item`),
    ]
    expect([...merging, ...elsewhere, ...moneyActions].toSorted()).toEqual(
      posts
        .filter(merges)
        .map(({ path }) => path)
        .toSorted(),
    )
  })

  it('has a reason if it does not merge', () => {
    const changes = /^(?:admin\/|muni\/)?(?:save|update|rename|set|change|edit)\//
    const changePaths = posts
      .filter((endpoint) => changes.test(endpoint.path) && !merges(endpoint))
      .map(({ path }) => path)
    expect(changePaths.filter((path) => !path.endsWith('/status')).toSorted()).toEqual(Object.keys(unmerged).toSorted())
  })
})

describe('a save that is resent with its key', () => {
  const twice = async (host: string, path: string, body: object, token = tokens['mine'] ?? '') => {
    const send = () =>
      portal.post(host, path, body, { token, headers: { 'idempotency-key': `key-of-${path.replaceAll('/', '-')}` } })
    return [await send(), await send()] as const
  }

  it.each([
    ['of a town', 'muni/create/municipality/department', 'department'],
    ['of the platform', 'admin/create/platform/department', 'platform_department'],
  ])('runs once: %s', async (_owner, path, table) => {
    const [first, second] = await twice(ADMIN, path, { companyId, name: 'Sewers' })
    expect([first.status, second.status, second.body]).toEqual([200, 200, first.body])
    const { rows } = await portal.owner.query(`SELECT 1 FROM ${table} WHERE name = 'Sewers'`)
    expect(rows).toHaveLength(1)
  })

  it('is refused twice alike and frees its key for another attempt', async () => {
    const [first, second] = await twice(ADMIN, 'muni/rename/municipality/department', {
      ...{ companyId, departmentId: department, name: 'Sewers' },
    })
    expect([first.status, second.status]).toEqual([422, 422])
  })

  it('stores no data that helps to guess a password in it', async () => {
    const formData = { first_name: 'Naomi', last_name: 'Reed', service_address: '', city: '', state: '', zipcode: '' }
    const body = { formData: { ...formData, email: 'a@example.org', mobile_no: '', password: 'wrong' } }
    const [refused] = await twice(MAPLE, 'save/profile/user', body, tokens['resident'])
    expect(refused.status).toBe(422)
    const { rows } = await portal.owner.query(`SELECT body_hash FROM idempotency_key WHERE call = 'save/profile/user'`)
    const plain = createHash('sha256')
      .update(JSON.stringify(saveProfile.body.parse(body)))
      .digest()
    expect(rows[0].body_hash).not.toEqual(plain)
  })
})
