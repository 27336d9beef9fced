import { sql } from 'kysely'
import { firstNames, lastNames } from '../../database/names.ts'
import { type Random, randomFrom } from '../../database/random.ts'
import { loadCompanyDetails, type Demo, type DemoAddress, type DemoPart, demoAddresses } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { addDays, addMonths, dateIn } from '../../shared/dates.ts'
import type { Answers } from '../../shared/fields/answer.ts'
import { answersOf } from '../../shared/fields/answers.ts'
import { firstDefinitions } from './server/definitions.ts'
import { detailsOf, type Kind, kinds, REMINDERS } from './rules.ts'
import { FIELDS_KIND } from './server/fields.ts'
import { sealAnswers } from './server/registrations.ts'
import { settingsRow } from './server/settings.ts'
import { registrationStates, type RegistrationState } from './states.ts'
import { formatPhone } from '../../shared/phone.ts'

/** Settings of the demo registrations, by company subdomain. */
const companyPlans: Readonly<
  Record<
    string,
    { counts: Record<Kind, number>; staffMember: string; atOnce: boolean; onParcel: boolean; trades: readonly string[] }
  >
> = {
  maplegrove: {
    counts: { 1: 430, 2: 95, 3: 110 },
    staffMember: 'Dana Ruiz',
    atOnce: true,
    onParcel: false,
    trades: ['Bakery', 'Book shop', 'Bicycle repair', 'Dentist', 'Hardware store', 'Hair salon', 'Florist', 'Plumber'],
  },
  harborcity: {
    counts: { 1: 190, 2: 130, 3: 75 },
    staffMember: 'Marguerite Doyle',
    atOnce: false,
    onParcel: true,
    trades: ['Chandlery', 'Fish market', 'Boat yard', 'Café', 'Sail maker', 'Guest house', 'Ice plant', 'Diver'],
  },
}

interface Owner {
  id: number
  name: string
  email: string
}

interface Row {
  kind: Kind
  status: RegistrationState
  owner: Owner
  context: DemoAddress
  answers: Answers
  /** Days since the registration was sent. */
  days: number
  confirm_by: string | null
  reminded: number
  inspect_by: string | null
}

const phone = (random: Random) => `71755501${random.int(10, 99)}`
const nameOf = (random: Random) => `${random.pick(firstNames)} ${random.pick(lastNames)}`

const contacts = (random: Random, first: string) =>
  [first, ...(random.chance(0.4) ? [nameOf(random)] : [])].map((name, at) => ({
    name,
    phone: phone(random),
    role: at === 0 ? 'Owner' : 'Manager',
  }))

const alertChoices = (random: Random) => ['a', 'p', 'm', 'r', 'f', '$'].filter(() => random.chance(0.45))

function household(random: Random, owner: string, today: string) {
  const last = owner.split(' ').at(-1) ?? owner
  const others = random.int(0, 4)
  const born = (from: number, to: number) => addDays(today, -365 * random.int(from, to) - random.int(0, 364))
  return {
    household_name: last,
    property_type: random.chance(0.7) ? '1' : '2',
    phone: phone(random),
    people: [
      { first_name: owner.split(' ')[0] ?? '', last_name: last, relation: '1', born: born(28, 84) },
      ...Array.from({ length: others }, (_, at) => ({
        first_name: random.pick(firstNames),
        last_name: last,
        relation: at === 0 ? '2' : random.chance(0.8) ? '3' : random.pick(['4', '5', '6', '7']),
        born: at === 0 ? born(26, 80) : born(1, 20),
      })),
    ],
    pets: Array.from({ length: random.weighted({ 0: 0.55, 1: 0.33, 2: 0.12 }) === '0' ? 0 : random.int(1, 2) }, () => ({
      name: random.pick(['Biscuit', 'Pepper', 'Juno', 'Moss', 'Hazel', 'Otis', 'Clementine', 'Fig', 'Walnut']),
      animal: random.pick(['Dog', 'Dog', 'Cat', 'Cat', 'Rabbit', 'Parrot']),
      licensed: random.chance(0.6),
    })),
    needs: random.chance(0.14) ? [random.pick(['walk', 'oxygen', 'power', 'hear', 'see', 'memory'])] : [],
    key_holder: random.chance(0.5) ? `${nameOf(random)}, ${formatPhone(phone(random))}` : '',
    consent: random.chance(0.7),
    alerts: alertChoices(random),
  }
}

const business = (random: Random, owner: string, trade: string) => ({
  business_name: `${random.pick([owner.split(' ').at(-1) ?? owner, random.pick(lastNames)])} ${trade}`,
  ownership: String(random.int(1, 4)),
  position: String(random.int(1, 3)),
  trade,
  license: random.chance(0.8) ? `BL-${random.int(2000, 8999)}` : '',
  employees: String(random.int(1, 24)),
  property_type: random.chance(0.4) ? '1' : '2',
  hours: random.pick(['Monday to Friday, 9 AM to 5 PM', 'Tuesday to Saturday, 10 AM to 6 PM', 'Daily, 7 AM to 3 PM']),
  contacts: contacts(random, owner),
  ...(random.chance(0.4) && { has_alarm: true, alarm: `AL-${random.int(100, 999)}` }),
  consent: random.chance(0.85),
  alerts: alertChoices(random),
})

function rental(random: Random, owner: string, address: string) {
  const isManaged = random.chance(0.35)
  return {
    property_name: random.chance(0.5)
      ? address
      : `${random.pick(lastNames)} ${random.pick(['Court', 'House', 'Flats'])}`,
    owner_name: owner,
    managed_by: isManaged ? '2' : '1',
    ...(isManaged && { manager_name: nameOf(random) }),
    license: `RL-${random.int(1000, 4999)}`,
    units: Array.from({ length: random.int(1, 8) }, (_, at) => ({
      unit: `${1 + Math.floor(at / 2)}${at % 2 === 0 ? 'A' : 'B'}`,
      bedrooms: String(random.int(1, 4)),
      ...(random.chance(0.88) && { tenant: nameOf(random), phone: phone(random) }),
    })),
    contacts: contacts(random, owner),
    consent: random.chance(0.8),
    alerts: alertChoices(random),
  }
}

/** Converts raw demo input to answers as the database stores them. */
function storedAnswers(kind: Kind, raw: object, today: string): Answers {
  const { answers, errors } = answersOf(firstDefinitions[kind], raw, today)
  const [firstError] = Object.entries(errors)
  if (firstError) throw new Error(`The demo's ${kinds[kind]} is refused: ${firstError.join(': ')}`)
  return answers
}

function stateOf(random: Random): RegistrationState {
  return random.weighted({
    ...{
      registered: 0.74,
      due: 0.09,
      pending: 0.06,
      lapsed: 0.04,
      more_info_needed: 0.02,
      rejected: 0.02,
      ended: 0.03,
    },
  }) as RegistrationState
}

/** Chooses the submission date and the other dates, so that all dates fit the status. */
function daysOf(random: Random, kind: Kind, status: RegistrationState, today: string) {
  const inspected = (since: number) => (kind === 3 ? addDays(today, random.int(-60, 720) - (since % 30)) : null)
  if (status === 'pending' || status === 'more_info_needed')
    return { days: random.int(0, 12), confirm_by: null, reminded: 0, inspect_by: null }
  if (status === 'rejected') return { days: random.int(20, 300), confirm_by: null, reminded: 0, inspect_by: null }
  if (status === 'due') {
    const left = random.int(0, REMINDERS[0] - 1)
    return {
      days: 366 - left,
      confirm_by: addDays(today, left),
      reminded: left <= REMINDERS[1] ? 2 : 1,
      inspect_by: inspected(left),
    }
  }
  if (status === 'lapsed') {
    const ago = random.int(1, 90)
    return { days: 366 + ago, confirm_by: addDays(today, -ago), reminded: 2, inspect_by: inspected(ago) }
  }
  const days = random.int(2, 320)
  return { days, confirm_by: addMonths(addDays(today, -days), 12), reminded: 0, inspect_by: inspected(days) }
}

async function writeSets(tx: Tx, company: CompanyId, began: Date): Promise<Record<Kind, number>> {
  const made: Partial<Record<Kind, number>> = {}
  for (const kind of [1, 2, 3] as const) {
    const definition = JSON.stringify(firstDefinitions[kind])
    const { id } = await tx
      .insertInto('field_set')
      .values({
        ...{ company_id: company, kind: FIELDS_KIND, name: kinds[kind], draft: definition, latest_version: 1 },
        ...{ created_at: began, updated_at: began },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('field_set_version')
      .values({
        ...{ company_id: company, field_set_id: id, version: 1, definition },
        ...{ published_at: began, published_by: 'Mainstreet' },
      })
      .execute()
    await tx.insertInto('registration_kind').values({ company_id: company, kind, field_set_id: id }).execute()
    made[kind] = id
  }
  return made as Record<Kind, number>
}

async function fill({ clock, secrets }: Demo, tx: Tx, company: CompanyId, seed: number): Promise<void> {
  const companyInfo = await loadCompanyDetails(tx, company)
  const kind = companyPlans[companyInfo.subdomain]
  if (!kind) return
  const random = randomFrom(seed)
  const now = clock.now()
  const today = dateIn(companyInfo.timeZone, now)
  const owners = await tx
    .selectFrom('person')
    .select(['id', 'email', sql<string>`first_name || ' ' || last_name`.as('name')])
    .where('company_id', '=', company)
    .where('role_id', '=', 1)
    .where('email', 'not like', 'newcomer@%')
    .orderBy('id')
    .execute()
  const others = owners.filter(({ email }) => !email.startsWith('resident@'))
  const resident = owners.find(({ email }) => email.startsWith('resident@'))
  const houses = await demoAddresses(tx, company, 4000)
  if (houses.length === 0 || others.length === 0) return
  const rows: Row[] = []
  const add = (of: Kind, status: RegistrationState, owner: Owner) => {
    const context = houses[(rows.length * 7 + of) % houses.length] as DemoAddress
    const raw =
      of === 1
        ? household(random, owner.name, today)
        : of === 2
          ? business(random, owner.name, random.pick(kind.trades))
          : rental(random, owner.name, context.location)
    const answers = storedAnswers(of, raw, today)
    rows.push({ kind: of, status, owner, context, answers, ...daysOf(random, of, status, today) })
  }
  if (resident) {
    add(1, 'due', resident)
    add(2, 'more_info_needed', resident)
    add(3, 'registered', resident)
  }
  for (const one of [1, 2, 3] as const)
    for (let n = 0; n < kind.counts[one]; n += 1)
      add(one, stateOf(random), others[(n * 3 + one) % others.length] as Owner)
  // Sorts the oldest first, so that the numbers follow the submission dates.
  rows.sort((one, other) => other.days - one.days)
  const sets = await writeSets(tx, company, new Date(now.getTime() - 420 * 86_400_000))
  await writeRows(tx, company, { now, staffMember: kind.staffMember, sets }, rows, (answers) =>
    sealAnswers({ secrets }, answers),
  )
  const settings = {
    listedAddressOnly: true,
    householdAtOnce: kind.atOnce,
    renewAtOnce: true,
    inspectionMonths: 24,
    onParcel: kind.onParcel,
  }
  await tx
    .insertInto('registration_settings')
    .values({ company_id: company, ...settingsRow(settings) })
    .execute()
}

interface RegistrationContext {
  now: Date
  staffMember: string
  sets: Record<Kind, number>
}

async function writeRows(
  tx: Tx,
  company: CompanyId,
  { now, staffMember, sets }: RegistrationContext,
  rows: readonly Row[],
  seal: (answers: Answers) => string,
): Promise<void> {
  const demoRows = rows.map(({ owner, context, answers, kind, ...row }, n) => ({
    ...{ n, kind, ...row, ...detailsOf(kind, answers), sealed: seal(answers), set: sets[kind] },
    ...{ person: owner.id, owner: owner.name, location: context.location, address: context.address_id },
    ...{ lat: context.lat, lon: context.lon, x: context.x, y: context.y },
  }))
  await sql`
    WITH x AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(demoRows)}::jsonb) AS x(n int, kind int, status text, days int, confirm_by date,
        reminded int, inspect_by date, name text, people int, pets int, units int, for_responders boolean, alerts jsonb, sealed text,
        set bigint, person bigint, owner text, location text, address bigint, lat float8, lon float8, x float8, y float8)),
    made AS (
      INSERT INTO registration (company_id, kind, status, person_id, name, owner_name, location, address_id, lat, lon, at, field_set_id,
        version, answers_sealed, for_responders, alerts, people, pets, units, made_at, changed_at, confirm_by, reminded, inspect_by)
      SELECT ${company}::int, x.kind, x.status, x.person, x.name, x.owner, x.location, x.address, x.lat, x.lon, point(x.x, x.y), x.set, 1,
        x.sealed, x.for_responders, ARRAY(SELECT jsonb_array_elements_text(x.alerts)), x.people, x.pets, x.units,
        ${now}::timestamptz - x.days * interval '1 day', least(${now}::timestamptz, ${now}::timestamptz - x.days * interval '1 day' + interval '3 hours'),
        x.confirm_by, x.reminded, x.inspect_by
      FROM x ORDER BY x.n RETURNING company_id, id, status, person_id, owner_name, made_at, confirm_by)
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name, reason)
    SELECT m.company_id, ${registrationStates.name}, m.id, row_number() OVER (PARTITION BY m.id ORDER BY s.n), s.before, s.after, s.event,
      s.at, s.party, CASE s.party WHEN 'citizen' THEN m.person_id END, s.name, s.reason
    FROM made m CROSS JOIN LATERAL (VALUES
      (1, true, '', 'pending', 'send', m.made_at, 'citizen', m.owner_name, ''),
      (2, m.status IN ('registered', 'due', 'lapsed', 'ended'), 'pending', 'registered', 'verify', least(${now}::timestamptz, m.made_at + interval '3 hours'),
        'municipality', ${staffMember}, ''),
      (3, m.status = 'more_info_needed', 'pending', 'more_info_needed', 'request_info', least(${now}::timestamptz, m.made_at + interval '3 hours'), 'municipality', ${staffMember},
        'The phone number of the first contact does not answer. Is it right?'),
      (4, m.status = 'rejected', 'pending', 'rejected', 'reject', least(${now}::timestamptz, m.made_at + interval '3 hours'), 'municipality', ${staffMember},
        'This address is outside the town.'),
      (5, m.status IN ('due', 'lapsed'), 'registered', 'due', 'fall_due', (m.confirm_by - 40)::timestamptz + interval '13 hours', 'system',
        'Registrations', ''),
      (6, m.status = 'lapsed', 'due', 'lapsed', 'lapse', (m.confirm_by + 1)::timestamptz + interval '13 hours', 'system', 'Registrations', ''),
      (7, m.status = 'ended', 'registered', 'ended', 'end', least(${now}::timestamptz, m.made_at + interval '30 hours'), 'municipality', ${staffMember}, 'Moved away.')
    ) AS s(n, happened, before, after, event, at, party, name, reason) WHERE s.happened`.execute(tx)
}

export const demo: DemoPart = {
  company: async (demoOf, demoCompany, { company }) =>
    tenancyOn(demoOf.db.app)(company, (tx) => fill(demoOf, tx, company, demoCompany.seed + 83)),
}
