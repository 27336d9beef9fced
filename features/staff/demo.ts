import { changeRow } from '../../server/db/rows.ts'
import { firstNames, lastNames } from '../../database/names.ts'
import type { Random } from '../../database/random.ts'
import type { DemoCompany } from '../../database/towns/town.ts'
import { auditCompany } from '../../server/audit.ts'
import type { Clock } from '../../server/clock.ts'
import type { CompanyId, Tx } from '../../server/tenancy.ts'
import { addDays, dateIn, midnightIn, weekday } from '../../shared/dates.ts'
import { rights, roles } from '../../shared/privileges.ts'

/** Number of days with demo sign-ins. */
const DAYS = 60
const HOUR = 3_600_000

const departments = [
  'Administration',
  'Finance and Billing',
  'Parks and Recreation',
  'Public Works',
  'Codes and Permits',
]
const CLOSED_DEPARTMENT = 'Civil Defense'

const devices = {
  computer:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  laptop:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  phone:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
}

interface DemoStaffContext {
  company: CompanyId
  clock: Clock
  random: Random
  demoCompany: DemoCompany
  timeZone: string
  password_hash: string
}

/** Adds a company's departments, additional staff and two months of sign-ins. */
export async function addStaff(tx: Tx, demoContext: DemoStaffContext): Promise<void> {
  if (demoContext.demoCompany.people.length === 0) return
  const ids = await addDepartments(tx, demoContext)
  await assignDemoPeople(tx, demoContext, ids)
  await addColleagues(tx, demoContext, ids)
  await addSignIns(tx, demoContext)
}

async function addDepartments(tx: Tx, { company, clock }: DemoStaffContext): Promise<number[]> {
  const created_at = clock.now()
  const rows = await tx
    .insertInto('department')
    .values([
      ...departments.map((name) => ({ company_id: company, name, is_active: 1 as const, created_at })),
      { company_id: company, name: CLOSED_DEPARTMENT, is_active: 0 as const, created_at },
    ])
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Assigns the demo accounts to departments: the administrator to administration, the manager and staff to finance. */
async function assignDemoPeople(
  tx: Tx,
  { company }: DemoStaffContext,
  [administration = 0, finance = 0]: number[],
): Promise<void> {
  const setPosition = (role_id: number, position: number, department_id: number) =>
    tx
      .updateTable('person')
      .set({ position, department_id })
      .where('company_id', '=', company)
      .where('role_id', '=', role_id)
      .execute()
  await setPosition(roles.municipalityAdmin, 3, administration)
  await setPosition(roles.municipalityManager, 2, finance)
  await setPosition(roles.municipalityStaff, 1, finance)
}

/**
 * Adds a dozen staff members. Most are active. One is invited, one is locked, one is deactivated, and one has extra
 * privileges.
 */
async function addColleagues(
  tx: Tx,
  { company, clock, random, demoCompany, password_hash }: DemoStaffContext,
  ids: number[],
): Promise<void> {
  const now = clock.now()
  const [host] = (demoCompany.people[0]?.email ?? '').split('@').slice(1)
  const used = new Set(demoCompany.people.map(({ firstName }) => firstName))
  for (let n = 0; n < 12; n += 1) {
    const first_name = random.pick(firstNames.filter((name) => !used.has(name)))
    const last_name = random.pick(lastNames)
    used.add(first_name)
    const isManager = n % 5 === 1
    await tx
      .insertInto('person')
      .values({
        company_id: company,
        email: `${first_name}.${last_name}@${host}`.toLowerCase(),
        password_hash: n === 11 ? null : password_hash,
        role_id: isManager ? roles.municipalityManager : roles.municipalityStaff,
        first_name,
        last_name,
        active_email_alerts: null,
        active_phone_alerts: null,
        position: isManager ? 3 : n % 4 === 2 ? 2 : 1,
        department_id: ids[n % departments.length] ?? null,
        is_active: n === 9 ? 0 : 1,
        locked_at: n === 10 ? new Date(now.getTime() - 30 * HOUR) : null,
        privileges: JSON.stringify(
          n === 3 ? { reports_management: rights.view | rights.create, parcel_registration: rights.view } : {},
        ),
      })
      .execute()
  }
}

interface SignIn {
  at: Date
  person: number | null
  reason: string | null
  address: string
  device: string
}

/** Adds morning sign-ins on working days, some wrong passwords, and attempts with unknown emails at night. */
async function addSignIns(tx: Tx, demoContext: DemoStaffContext): Promise<void> {
  const { company, clock, random, timeZone } = demoContext
  const people = await tx
    .selectFrom('person')
    .select(['id', 'role_id', 'is_active', 'locked_at', 'password_hash'])
    .where('company_id', '=', company)
    .orderBy('id')
    .execute()
  const now = clock.now()
  const today = dateIn(timeZone, now)
  const events: SignIn[] = []
  for (let day = DAYS; day >= 0; day -= 1) {
    const date = addDays(today, -day)
    const midnight = midnightIn(timeZone, date).getTime()
    const works = weekday(date) >= 1 && weekday(date) <= 5
    for (const { id, role_id, is_active, locked_at, password_hash } of people) {
      const isStaff = role_id >= roles.municipalityStaff
      if (password_hash === null || !random.chance(isStaff ? (works ? 0.85 : 0.04) : 0.15)) continue
      const out = is_active === 0 && day < 20 ? 'inactive' : locked_at && day < 2 ? 'locked' : null
      if (out && !random.chance(0.2)) continue
      const at = new Date(midnight + (isStaff ? 7.5 : 18) * HOUR + random.int(0, 90 * 60_000))
      const address = isStaff ? `198.51.100.${20 + (id % 40)}` : `203.0.113.${id % 200}`
      const device = isStaff ? (id % 3 === 0 ? devices.laptop : devices.computer) : devices.phone
      if (random.chance(0.06))
        events.push({ at: new Date(at.getTime() - 20_000), person: id, reason: 'wrong_password', address, device })
      events.push({ at, person: id, reason: out, address, device })
    }
    if (random.chance(0.12))
      events.push({
        at: new Date(midnight + random.int(0, 5 * HOUR)),
        person: null,
        reason: 'unknown_email',
        address: `192.0.2.${random.int(1, 250)}`,
        device: '',
      })
  }
  const past = events.filter(({ at }) => at < now).toSorted((a, b) => a.at.getTime() - b.at.getTime())
  for (const event of past) await write(tx, demoContext, event)
  await noteLast(tx, company, past)
}

async function write(
  tx: Tx,
  { company }: DemoStaffContext,
  { at, person, reason, address, device }: SignIn,
): Promise<void> {
  const detail = { how: 'password', address, device, ...(reason && { reason }) }
  const action = reason ? 'sign_in.refused' : 'sign_in.accepted'
  const actor = { session: null, requestId: '' }
  await auditCompany(tx, { now: () => at }, company, actor, {
    ...{ action, detail },
    ...(person !== null && { subject: { kind: 'person', id: person }, person }),
  })
}

async function noteLast(tx: Tx, company: CompanyId, events: readonly SignIn[]): Promise<void> {
  const last = new Map(events.flatMap(({ person, reason, at }) => (person && !reason ? [[person, at] as const] : [])))
  for (const [id, signed_in_at] of last) await changeRow(tx, 'person', company, id, { signed_in_at })
}
