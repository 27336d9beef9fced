import { sql } from 'kysely'
import type { Call } from '../../../server/call.ts'
import { defineColumns } from '../../../server/columns.ts'
import { withHistory } from '../../../server/imported-rows.ts'
import {
  byNames,
  dayIn,
  defineImporter,
  type Get,
  locationIn,
  noonOf,
  oneOf,
  OWNS_EMAIL,
  refuseOtherAccount,
  yesIn,
} from '../../../server/importers.ts'
import { locationColumns } from '../../../server/places/stored-location.ts'
import { RowError } from '../../../server/row-error.ts'
import { actorOf, recordCreation } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { addDays, addMonths } from '../../../shared/dates.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import { answersOf } from '../../../shared/fields/answers.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { prefilled } from '../../../shared/fields/prefill.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { say } from '../../../shared/messages.ts'
import type { LocationValue } from '../../../shared/places.ts'
import { inspectionsOf } from '../../inspections/api.ts'
import { accountNumberForms, normalizeAccountNumber } from '../../utility-accounts/rules.ts'
import {
  BUSINESS,
  detailsOf,
  dueOn,
  findAtAddress,
  HOUSEHOLD,
  type Kind,
  REMINDERS,
  RENTAL,
  RENTAL_SUBJECT,
} from '../rules.ts'
import { registrationStates, type RegistrationState } from '../states.ts'
import { newestOf } from './fields.ts'
import { listOpenRegistrations, missingAt } from './mine.ts'
import { registrationStateStore, sealAnswers, todayOf } from './registrations.ts'
import { settingsOf } from './settings.ts'

const columns = defineColumns('registrations', {
  needs: ['number', 'kind', 'email|account', 'address'],
  columns: {
    number: {
      title: 'Old number',
      aliases:
        'number registration registration_number registration_id registration_nbr reg_number reg_no license license_number rental_license_number property_id record_id record_number id',
      content: 'code',
      sample: 'RR-0118',
    },
    kind: {
      title: 'Kind',
      aliases: 'type registration_type reg_type record_type property_type category class',
      sample: 'Rental property',
      preset: 'Rental property',
    },
    name: {
      title: 'Name',
      aliases:
        'property_name business_name business company company_name dba trade_name household household_name building building_name complex_name contractor contractor_name',
      sample: 'Elm Court',
    },
    email: {
      title: 'Email of the owner',
      aliases:
        'email e_mail email_address email_addr owner_email contact_email customer_email registrant_email landlord_email business_email',
      content: 'email',
      sample: 'ann@example.com',
    },
    account: {
      title: 'Account number',
      aliases: 'account account_no account_nbr acct acct_no acct_number utility_account utility_account_number',
      content: 'code',
    },
    address: {
      title: 'Address',
      aliases:
        'street street_address location property_address rental_address site_address business_address service_address premise_address address_1 address_line_1 situs situs_address',
      sample: '12 Oak Street',
    },
    lat: { title: 'Latitude', aliases: 'lat y', content: 'latitude' },
    lon: { title: 'Longitude', aliases: 'lon lng long x', content: 'longitude' },
    registered: {
      title: 'Registered',
      aliases:
        'registered_on registration_date reg_date date_registered issued issue_date date_issued created created_at start_date effective_date approved_date application_date',
      content: 'date',
      sample: '2025-03-01',
    },
    confirmBy: {
      title: 'Confirmation due',
      aliases:
        'confirm_by valid_until valid_to valid_through expires expires_on expiration expiration_date expire_date expiry expiry_date renewal_date renew_by renewal_due exp_date date_expires due_date',
      content: 'date',
      sample: '2027-03-01',
    },
    inspectBy: {
      title: 'Inspection due',
      aliases: 'inspect_by next_inspection next_inspection_date inspection_due_date inspection_date',
      content: 'date',
    },
    status: { title: 'Status', aliases: 'state registration_status license_status current_status', sample: 'Active' },
    units: {
      title: 'Units',
      aliases: 'unit unit_numbers number_of_units no_of_units unit_count total_units apartments apts dwelling_units',
      sample: '1A; 1B',
    },
    contact: {
      title: 'Emergency contact',
      aliases:
        'contact contact_name contact_person manager manager_name property_manager local_agent local_contact agent agent_name key_holder',
      sample: 'Bo Reese',
    },
    contactPhone: {
      title: 'Phone of the contact',
      aliases:
        'phone phone_number telephone contact_phone emergency_phone manager_phone agent_phone local_contact_phone emergency_contact_phone business_phone',
      content: 'phone',
      sample: '717-555-0100',
    },
    trade: {
      title: 'Type of business',
      aliases: 'trade business_type nature_of_business industry business_activity activity naics_description',
    },
    license: {
      title: 'Other license',
      aliases: 'state_license state_license_number contractor_license trade_license business_license_number',
    },
    people: { title: 'People', aliases: 'residents occupants members household_members tenants' },
    pets: { title: 'Pets', aliases: 'pet animals dogs' },
    consent: {
      title: 'First responders may view',
      aliases: 'consent share_with_responders first_responders shared_with_first_responders emergency_consent',
    },
  },
})
type Name = keyof (typeof columns)['columns']

const kindNames = byNames<Kind>([
  [
    RENTAL,
    'rental property|rental properties|rental|rentals|rental unit|rental units|rental registration|rental license|residential rental|landlord|apartment|apartments|multifamily',
  ],
  [
    BUSINESS,
    'business|businesses|business registration|business license|commercial|company|contractor|contractors|contractor registration|vendor',
  ],
  [HOUSEHOLD, 'household|households|home|family|residence|pet|pets'],
])
type StatusName = 'active' | 'pending' | 'lapsed' | 'ended' | 'refused'
const statuses = byNames<StatusName>([
  ['active', '|active|registered|approved|valid|current|issued|licensed|renewed|compliant'],
  ['pending', 'pending|pending review|in review|under review|submitted|received|applied|new'],
  ['lapsed', 'lapsed|expired|overdue|delinquent|non-compliant|noncompliant'],
  ['ended', 'ended|closed|inactive|sold|moved|cancelled|canceled|withdrawn|out of business'],
  ['refused', 'rejected|denied|refused'],
])
const events = {
  registered: 'import',
  pending: 'import_pending',
  due: 'import_due',
  lapsed: 'import_lapsed',
  ended: 'import_ended',
} as const satisfies Partial<Record<RegistrationState, EventOf<typeof registrationStates>>>
type ImportedStatus = keyof typeof events

interface Owner {
  id: number
  role_id: number
  is_active: number
  is_unconfirmed: boolean
  email: string
  first_name: string
  last_name: string
  mobile_no: string
  accounts: string[]
}

interface ImportedRegistration {
  oldNumber: string
  kind: Kind
  owner: Owner
  address: string
  locate: (tx: Tx, company: CompanyId) => Promise<LocationValue>
  answers: Answers
  set: number
  version: number
  status: ImportedStatus
  confirmBy: string | null
  reminded: number
  inspectBy: string | null
  registeredOn: string
}

const MAX_UNITS = 100
const YEAR = 12

/** Imports registrations of residents, with their old numbers. A known old number of a kind changes nothing. */
defineImporter({
  kind: 'registrations',
  columns,
  undo: {
    tables: withHistory('registration', registrationStates.name),
    uses: [inspectionsOf(RENTAL_SUBJECT, 'registration')],
  },
  async start({ tx, call }) {
    const company = call.company.id
    const ownerOf = await ownerFinder(tx, company)
    const rows = await tx
      .selectFrom('registration')
      .select(['kind', 'old_number'])
      .where('company_id', '=', company)
      .where('old_number', '<>', '')
      .execute()
    const existing = new Set(rows.map(({ kind, old_number }) => `${kind} ${old_number}`))
    const today = todayOf(call)
    const settings = await settingsOf(tx, company)
    const questions = new Map<Kind, Awaited<ReturnType<typeof newestOf>>>()
    for (const kind of [HOUSEHOLD, BUSINESS, RENTAL] as const) questions.set(kind, await newestOf(call, tx, kind))
    return {
      take(get): ImportedRegistration {
        const oldNumber = get('number', 40)
        if (oldNumber === '') throw new RowError(say`Enter the old number.`)
        const kind = oneOf(say`Kind`, get('kind'), kindNames)
        const owner = ownerOf(get('email', 254), get('account', 40))
        const address = get('address')
        if (address === '') throw new RowError(say`Enter the address.`)
        const { set, version, definition } = questions.get(kind) ?? { set: 0, version: 0, definition: { steps: [] } }
        const answers = answersIn(get, { kind, owner, address, definition, today })
        return {
          ...{ oldNumber, kind, owner, address, answers, set, version, ...datesIn(get, kind, today) },
          locate: locationIn(address, get('lat', 20), get('lon', 20)),
        }
      },
      keyOf: ({ kind, oldNumber }) => `${kind} ${oldNumber}`,
      async write(registration) {
        const { kind, oldNumber, owner, address, status } = registration
        if (existing.has(`${kind} ${oldNumber}`)) return 'unchanged'
        const location = await registration.locate(tx, company)
        const missing = await missingAt(tx, company, { kind, location, settings })
        if (missing === 'address')
          throw new RowError(
            say`“${address}” is not on the list of addresses. Correct the address, or import the addresses first.`,
          )
        if (missing === 'parcel')
          throw new RowError(say`“${address}” has no parcel. Correct the address, or import the parcels first.`)
        if (kind === HOUSEHOLD && status !== 'ended') await refuseSecond(tx, company, owner, location)
        await importRegistration(tx, call, registration, location)
        return 'created'
      },
    }
  },
})

/** Refuses a second household of the resident at an address. @throws RowError */
async function refuseSecond(tx: Tx, company: CompanyId, { id, email }: Owner, location: LocationValue): Promise<void> {
  const other = findAtAddress(await listOpenRegistrations(tx, company, id, HOUSEHOLD), location)
  if (other)
    throw new RowError(say`The resident “${email}” already has the registration ${other.number} at this address.`)
}

/** Loads the residents. The result finds one by the email, or else by the utility account. */
async function ownerFinder(tx: Tx, company: CompanyId) {
  const { rows } = await sql<Owner>`
    SELECT p.id, p.role_id, p.is_active, p.email, p.first_name, p.last_name, p.mobile_no,
      NOT ${OWNS_EMAIL} AS is_unconfirmed,
      ARRAY(SELECT a.account_number FROM linked_account l
        JOIN utility_account a ON a.company_id = l.company_id AND a.id = l.account_id
        WHERE l.company_id = p.company_id AND l.person_id = p.id) AS accounts
    FROM person p WHERE p.company_id = ${company}`.execute(tx)
  const byEmail = new Map(rows.map((row) => [row.email.toLowerCase(), row]))
  const byAccount = new Map<string, Owner[]>()
  for (const row of rows)
    for (const account of row.accounts) byAccount.set(account, [...(byAccount.get(account) ?? []), row])
  return (email: string, account: string): Owner => {
    if (email !== '') return suitable(byEmail.get(email.toLowerCase()), email)
    if (account === '') throw new RowError(say`Enter the email of the owner, or an account number.`)
    const forms = accountNumberForms(normalizeAccountNumber(account))
    const [owner, other] = forms.flatMap((form) => byAccount.get(form) ?? [])
    if (!owner) throw new RowError(say`No resident has the account “${account}”. Import the customers first.`)
    if (other) throw new RowError(say`Several residents have the account “${account}”. Enter the email of the owner.`)
    return suitable(owner, owner.email)
  }
}

/** Returns the owner if the person may have imported records. @throws RowError */
function suitable(owner: Owner | undefined, email: string): Owner {
  if (!owner)
    throw new RowError(say`No resident has the email “${email}”. Import the customers first, or correct the email.`)
  refuseOtherAccount(owner, email)
  if (owner.is_unconfirmed)
    throw new RowError(say`The resident has not confirmed the email “${email}”. Leave out the row until then.`)
  return owner
}

/**
 * Returns the days and the status. A registration with a status of “Active” is due or lapsed if its day of confirmation
 * is near or past. The reminders of past days count as sent. @throws RowError
 */
function datesIn(
  get: Get<Name>,
  kind: Kind,
  today: string,
): Pick<ImportedRegistration, 'status' | 'confirmBy' | 'reminded' | 'inspectBy' | 'registeredOn'> {
  const named = oneOf(say`Status`, get('status'), statuses)
  if (named === 'refused') throw new RowError(say`The registration was rejected. Leave out the row.`)
  const registered = dayIn(say`Registered`, get('registered', 40))
  if (registered !== null && registered > today) throw new RowError(say`The day of registration is in the future.`)
  const inFile = dayIn(say`Confirmation due`, get('confirmBy', 40))
  if (registered !== null && inFile !== null && inFile < registered)
    throw new RowError(say`The day of confirmation is before the day of registration.`)
  const inspectBy = dayIn(say`Inspection due`, get('inspectBy', 40))
  const rest = { inspectBy: kind === RENTAL ? inspectBy : null, registeredOn: registered ?? today }
  if (named === 'pending') return { status: named, confirmBy: null, reminded: 0, ...rest }
  if (named === 'lapsed' && inFile !== null && inFile >= today)
    throw new RowError(say`A lapsed registration has no day of confirmation in the future. Correct the row.`)
  if (named === 'lapsed' || named === 'ended') return { status: named, confirmBy: inFile, reminded: 0, ...rest }
  const confirmBy = inFile ?? nextAnniversary(registered, today)
  if (confirmBy === null) throw new RowError(say`Enter the day of registration, or the day of the next confirmation.`)
  const { reminders, lapsed } = dueOn(confirmBy, today)
  const status = lapsed ? 'lapsed' : reminders > 0 ? 'due' : 'registered'
  return { status, confirmBy, reminded: reminders, ...rest }
}

/** Returns the next anniversary of a registration that leaves time for all reminders. Null if the day is unknown. */
function nextAnniversary(registered: string | null, today: string): string | null {
  if (registered === null) return null
  const earliest = addDays(today, REMINDERS[0] + 1)
  const years = Math.max(1, Number(earliest.slice(0, 4)) - Number(registered.slice(0, 4)))
  const day = addMonths(registered, YEAR * years)
  return day < earliest ? addMonths(registered, YEAR * (years + 1)) : day
}

/** Splits a list at its semicolons and line breaks. */
const partsOf = (text: string): string[] =>
  text
    .split(/[;\n]/)
    .map((part) => part.trim())
    .filter(Boolean)

/** Parses units: a list of names, or their number, such as 4. @throws RowError */
function unitsIn(text: string) {
  const parts = text.includes(';') ? partsOf(text) : partsOf(text.replaceAll(',', ';'))
  const isCount = parts.length === 1 && /^\d{1,3}(?:\.0+)?$/.test(text)
  if (!isCount) return parts.map((unit) => ({ unit }))
  const count = Number(text)
  if (count > MAX_UNITS) throw new RowError(say`A registration can have up to ${MAX_UNITS} units.`)
  return Array.from({ length: count }, (_, at) => ({ unit: String(at + 1) }))
}

/** Relation codes of the first and of the other people in a household (spec 9.7). */
const [SELF, OTHER] = ['1', '10']
const peopleIn = (text: string) =>
  partsOf(text).map((name, at) => {
    const [first_name = '', ...rest] = name.split(/\s+/)
    return { first_name, last_name: rest.join(' '), relation: at === 0 ? SELF : OTHER }
  })

/** Parses pets, each with its type in parentheses, such as “Juno (dog)”. @throws RowError */
const petsIn = (text: string) =>
  partsOf(text).map((part) => {
    const [, name, animal] = /^(.+?)\s*\(([^()]+)\)$/.exec(part) ?? []
    if (name === undefined || animal === undefined)
      throw new RowError(say`Enter each pet with its type, such as “Juno (dog)”. Separate pets with semicolons.`)
    return { name, animal }
  })

interface AnswerInput {
  kind: Kind
  owner: Owner
  address: string
  definition: Definition
  today: string
}

/** Returns the values for the questions of a kind, as a resident enters them. @throws RowError */
function inputsIn(get: Get<Name>, { kind, owner, address }: AnswerInput): Record<string, unknown> {
  const [name, contact] = [get('name', 120), get('contact', 120)]
  const phone = get('contactPhone', 60) || owner.mobile_no
  const shared = { ...(yesIn(get('consent')) && { consent: true }) }
  if (kind === HOUSEHOLD)
    return {
      ...shared,
      household_name: name || owner.last_name,
      people: peopleIn(get('people', 1000)),
      pets: petsIn(get('pets', 500)),
      key_holder: contact && [contact, get('contactPhone', 60)].filter(Boolean).join(', '),
    }
  const contacts = contact === '' ? [] : [{ name: contact, phone }]
  if (kind === RENTAL)
    return {
      ...shared,
      property_name: name || address,
      license: get('license', 40),
      units: unitsIn(get('units', 1000)),
      contacts,
    }
  if (name === '') throw new RowError(say`Enter the name of the business.`)
  return { ...shared, business_name: name, trade: get('trade', 120), license: get('license', 40), contacts }
}

/**
 * Returns the answers. The owner adds missing answers later. Leaves out values without a question, because staff removed
 * the question.
 * @throws RowError if a value does not fit its question
 */
function answersIn(get: Get<Name>, input: AnswerInput): Answers {
  const { definition, owner, today } = input
  const { first_name, last_name, email, mobile_no: phone } = owner
  const entered = Object.entries(inputsIn(get, input)).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== '',
  )
  const raw = { ...prefilled(definition, { first_name, last_name, email, phone }), ...Object.fromEntries(entered) }
  const { answers, errors } = answersOf(definition, raw, today)
  for (const [name] of entered) {
    const problem = Object.entries(errors).find(([key]) => key === name || key.startsWith(`${name}.`))
    const field = allFields(definition).find((one) => one.name === name)
    if (problem && field) throw new RowError(say`In “${field.label}”: ${problem[1]}`)
  }
  return Object.fromEntries(Object.entries(answers).filter(([name]) => Object.hasOwn(raw, name)))
}

/** Creates a registration of another system. Sends no email. */
async function importRegistration(
  tx: Tx,
  call: Call,
  registration: ImportedRegistration,
  location: LocationValue,
): Promise<void> {
  const { company, context } = call
  const { kind, owner, answers, oldNumber, status } = registration
  const now = context.clock.now()
  const registeredAt = noonOf(company, registration.registeredOn)
  const { id, number } = await tx
    .insertInto('registration')
    .values({
      ...{ company_id: company.id, kind, status, old_number: oldNumber, person_id: owner.id },
      owner_name: `${owner.first_name} ${owner.last_name}`.trim(),
      ...locationColumns(location),
      ...detailsOf(kind, answers),
      ...{ field_set_id: registration.set, version: registration.version },
      answers_sealed: sealAnswers(context, answers),
      ...{ confirm_by: registration.confirmBy, reminded: registration.reminded, inspect_by: registration.inspectBy },
      ...{ made_at: registeredAt > now ? now : registeredAt, changed_at: now },
    })
    .returning(['id', 'number'])
    .executeTakeFirstOrThrow()
  await recordCreation(tx, registrationStateStore, {
    ...{ scope: company.id, id, number, person: owner.id, event: events[status], actor: actorOf(call) },
    detail: { number, location: location.text, oldNumber },
  })
}
