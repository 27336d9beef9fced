import { sql } from 'kysely'
import { type Call, type Handler, implement, signedIn } from '../../../server/call.ts'
import { defineUnique } from '../../../server/db/unique.ts'
import { mergeEdit, recordChanges } from '../../../server/edits.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import type { Tx } from '../../../server/tenancy.ts'
import {
  areaLabel,
  isArea,
  type Level,
  levelOf,
  levels,
  type OfficeArea,
  officeAreas,
  staffPrivileges,
} from '../../../shared/areas.ts'
import { audiencesOf, type ResponseOf } from '../../../shared/endpoint.ts'
import { plural, say, translated } from '../../../shared/messages.ts'
import { may, type Privileges } from '../../../shared/privileges.ts'
import { municipalityScreens } from '../../../shared/screens/municipality.ts'
import { type AreaMasks, describeAreas, listRoles, removeRole, saveRole } from '../contract-roles.ts'
import { companyRoles, gained, pick } from '../rules.ts'
import { masksOf, type PresetKey, presetKeys, rolePresets } from '../role-presets.ts'
import { expectChiefLeft, expectGrantable, expectRole } from './guards.ts'
import {
  type AssignedRole,
  changing,
  companyDirectory,
  editOf,
  type Member,
  memberColumns,
  membersOf,
  type StaffActor,
  type StaffDirectory,
} from './staff-directory.ts'

const taken = { field: 'name', message: 'A role with this name already exists.' }
defineUnique({ index: 'staff_role_name_once', ...taken }, { index: 'staff_role_preset_once', ...taken })

interface StaffRole {
  /** Null for a preset that the municipality has not used yet. */
  id: number | null
  name: string
  role_id: number
  privileges: Privileges
  preset: PresetKey | null
  people: number
}

const presetRole = (key: PresetKey): StaffRole => {
  const { name, roleId, levels: chosen } = rolePresets[key]
  return { id: null, name: translated(name), role_id: roleId, privileges: masksOf(chosen), preset: key, people: 0 }
}

const keyOf = ({ id, preset }: Pick<StaffRole, 'id' | 'preset'>) => (id === null ? `preset:${preset}` : `role:${id}`)

/** Returns the roles of the company, and the presets that it has not used yet. Higher ranks come first. */
async function rolesIn(tx: Tx, companyId: number): Promise<StaffRole[]> {
  const { rows } = await sql<StaffRole>`
    SELECT r.id, r.name, r.role_id, r.privileges, r.preset,
      (SELECT count(*)::int FROM person p WHERE p.company_id = r.company_id AND p.staff_role_id = r.id) AS people
    FROM staff_role r WHERE r.company_id = ${companyId}`.execute(tx)
  const used = new Set(rows.map(({ preset }) => preset))
  return [...rows, ...presetKeys.filter((key) => !used.has(key)).map(presetRole)].sort(
    (one, other) => other.role_id - one.role_id || one.name.localeCompare(other.name),
  )
}

/** Returns the keys of all roles by their names in lower case. */
export const roleKeys = async (tx: Tx, companyId: number): Promise<Map<string, string>> =>
  new Map((await rolesIn(tx, companyId)).map((role) => [role.name.toLowerCase(), keyOf(role)]))

const NO_ROLE = 'This role no longer exists. Choose another role from the list.'

async function findRole(tx: Tx, companyId: number, key: string): Promise<StaffRole> {
  const role = (await rolesIn(tx, companyId)).find(
    (one) => keyOf(one) === key || (one.preset !== null && key === `preset:${one.preset}`),
  )
  if (!role) throw rejected(NO_ROLE, { roleId: NO_ROLE })
  return role
}

/**
 * Returns the role that a person gets. `chosen` is the key of a role, or a rank with the privileges from before the
 * areas. Stores a preset when it is first used.
 */
export async function assignedRole(tx: Tx, call: Call, chosen: string | number): Promise<AssignedRole> {
  if (typeof chosen === 'number') return { roleId: chosen, staffRoleId: null, privileges: {} }
  const role = await findRole(tx, call.company.id, chosen)
  return {
    ...{ roleId: role.role_id, privileges: role.privileges },
    staffRoleId: role.id ?? (await insertRole(tx, call, role)),
  }
}

/** Checks that the actor may assign the role. */
export function expectAssignable(actor: StaffActor, role: AssignedRole, before: Privileges, directory: StaffDirectory) {
  expectRole(actor, role.roleId, directory)
  const granted = gained(staffPrivileges(role.roleId, role.privileges), before)
  expectGrantable(actor, granted, role.staffRoleId === null ? undefined : officeAreas)
}

async function insertRole(tx: Tx, call: Call, role: StaffRole): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO staff_role (company_id, name, role_id, privileges, preset, created_at)
    VALUES (${call.company.id}, ${role.name}, ${role.role_id}, ${JSON.stringify(role.privileges)}::jsonb, ${role.preset},
      ${call.context.clock.now()}) RETURNING id`.execute(tx)
  return rows[0]?.id ?? 0
}

const loadRoles = implement(listRoles, (call) =>
  call.inCompany(async (tx) => {
    const { personId, privileges, roleId } = signedIn(call)
    const roles = await rolesIn(tx, call.company.id)
    const { rows } = await sql<{ before: number; own: number | null }>`
      SELECT count(*) FILTER (WHERE staff_role_id IS NULL AND role_id >= 3)::int AS before,
        max(staff_role_id) FILTER (WHERE id = ${personId}) AS own
      FROM person WHERE company_id = ${call.company.id} AND role_id >= 3 AND is_active = 1`.execute(tx)
    const actor = { id: personId, roleId, privileges }
    return {
      before: rows[0]?.before ?? 0,
      roles: roles.map((role) => {
        const why = outOfReach(actor, role, rows[0]?.own ?? null)
        const edit = why === '' && may(privileges, 'staff', 'update')
        return {
          ...{ key: keyOf(role), name: role.name, roleId: role.role_id, isPreset: role.id === null },
          ...{ people: role.people, masks: pick(officeAreas, role.privileges) as Record<string, number>, why },
          can: {
            ...{ view: !edit, edit, copy: may(privileges, 'staff', 'update') },
            remove: edit && role.id !== null && role.people === 0,
          },
        }
      }),
    }
  }),
)

/** Returns the reason why the actor may not change a role. Empty if the actor may change it. */
function outOfReach(actor: StaffActor, role: StaffRole, own: number | null): string {
  if (role.id !== null && role.id === own) return say`This is your own role. Someone else must change it.`
  if (role.role_id > actor.roleId) return say`This role is higher than yours. Someone with that role must change it.`
  return ''
}

const expectReach = async (tx: Tx, call: Call, actor: StaffActor, role: StaffRole) => {
  const { rows } = await sql<{ own: number | null }>`
    SELECT staff_role_id AS own FROM person WHERE company_id = ${call.company.id} AND id = ${actor.id}`.execute(tx)
  const why = outOfReach(actor, role, rows[0]?.own ?? null)
  if (why) throw conflict('out_of_reach', why)
}

type RoleForm = AreaMasks & { name: string; roleId: number }
const formOf = ({ name, role_id, privileges }: StaffRole): RoleForm => ({
  ...(pick(officeAreas, privileges) as AreaMasks),
  ...{ name, roleId: role_id },
})

const store = implement(saveRole, (call) => {
  const directory = companyDirectory(call)
  const { companyId: _companyId, role: key, basis, ...own } = call.body
  return changing(call, saveRole.access, directory, async (tx, actor) => {
    const before = key === null ? null : await findRole(tx, call.company.id, key)
    if (before) await expectReach(tx, call, actor, before)
    const edit = editOf(tx, call, directory, `role ${before?.id ?? before?.preset ?? 'new'}`)
    const now = before && formOf(before)
    const form = now ? await mergeEdit(edit, { basis, own, now, labelsOf }) : own
    expectRole(actor, form.roleId, directory)
    const privileges = pick(officeAreas, form)
    const after: StaffRole = {
      ...{ id: null, preset: null, people: 0 },
      ...before,
      ...{ name: form.name, role_id: form.roleId, privileges },
    }
    const granted = gained(
      staffPrivileges(after.role_id, privileges),
      before ? staffPrivileges(before.role_id, before.privileges) : {},
    )
    expectGrantable(actor, granted, officeAreas)
    const id = after.id ?? (await insertRole(tx, call, after))
    if (before?.id) await changeRole(tx, directory, before, after)
    if (now) await recordChanges(edit, now, form)
    await call.audit(tx, {
      action: 'staff.role_saved',
      subject: { kind: 'staff_role', id },
      detail: changed(now, form),
    })
    return { success: true as const, message: say`The role ${form.name} was saved.`, role: `role:${id}` }
  })
})

/** Returns the label of an area and its levels, for a conflict of two edits. */
const labelsOf = (field: string, others: unknown, own: unknown) =>
  isArea(field as OfficeArea)
    ? { label: areaLabel(field as OfficeArea), texts: { own: levelText(own), others: levelText(others) } }
    : {}

const levelText = (mask: unknown): string => {
  const level = (Object.keys(levels) as Level[]).find((name) => levels[name] === mask)
  return level ? translated(level) : String(mask)
}

const changed = (before: RoleForm | null, after: RoleForm) =>
  Object.fromEntries(
    Object.entries(after)
      .filter(([field, value]) => before?.[field as keyof RoleForm] !== value)
      .map(([field, value]) => [field, before ? { from: before[field as keyof RoleForm], to: value } : value]),
  )

/** Saves a role and gives its new levels to the people who have it. Their own changes stay. */
async function changeRole(tx: Tx, directory: StaffDirectory, before: StaffRole, after: StaffRole): Promise<void> {
  const { rows: chiefs } = await sql<Member>`
    SELECT ${memberColumns(directory)} FROM ${membersOf(directory)}
    WHERE ${directory.own('p')} AND p.staff_role_id = ${before.id} AND p.role_id = ${directory.chief}`.execute(tx)
  const [own, old, role] = [directory.own('p'), JSON.stringify(before.privileges), JSON.stringify(after.privileges)]
  await sql`
    UPDATE staff_role r SET name = ${after.name}, role_id = ${after.role_id}, privileges = ${role}::jsonb
    WHERE ${directory.own('r')} AND r.id = ${before.id}`.execute(tx)
  await sql`
    UPDATE person p SET role_id = ${after.role_id}, privileges = ${role}::jsonb || coalesce(
      (SELECT jsonb_object_agg(key, value) FROM jsonb_each(p.privileges) WHERE ${old}::jsonb -> key IS DISTINCT FROM value), '{}')
    WHERE ${own} AND p.staff_role_id = ${before.id}`.execute(tx)
  for (const chief of chiefs) await expectChiefLeft(tx, directory, chief)
}

const remove = implement(removeRole, (call) => {
  const directory = companyDirectory(call)
  return changing(call, removeRole.access, directory, async (tx, actor) => {
    const role = await findRole(tx, call.company.id, call.body.role)
    await expectReach(tx, call, actor, role)
    if (role.people > 0)
      throw conflict(
        'role_in_use',
        say`${plural(role.people, '# person has', '# people have')} the role ${role.name}. First give them another role.`,
      )
    await sql`DELETE FROM staff_role r WHERE ${directory.own('r')} AND r.id = ${role.id}`.execute(tx)
    await call.audit(tx, {
      action: 'staff.role_removed',
      subject: { kind: 'staff_role', id: role.id ?? 0 },
      detail: { name: role.name, rank: companyRoles[role.role_id] },
    })
    return { success: true as const, message: say`The role ${role.name} was removed.` }
  })
})

const sorted = (titles: ReadonlySet<string>) => [...titles].toSorted((one, other) => one.localeCompare(other))

const describe = implement(describeAreas, async (call) => {
  const empty = () => ({ screens: new Set<string>(), calls: new Set<string>() })
  const opened = new Map(
    officeAreas.map((area) => [area, { none: empty(), view: empty(), do: empty(), manage: empty() }]),
  )
  for (const { needs, title } of municipalityScreens)
    if (needs) opened.get(needs[0] as OfficeArea)?.[levelOf(needs[1])].screens.add(translated(title))
  for (const { access, summary } of call.context.endpoints)
    if (access.privilege && audiencesOf(access).includes('municipality'))
      opened.get(access.privilege[0] as OfficeArea)?.[levelOf(access.privilege[1])].calls.add(translated(summary))
  const listed = ({ screens, calls }: ReturnType<typeof empty>) => ({ screens: sorted(screens), calls: sorted(calls) })
  const areas = [...opened].map(([area, of]) => [
    area,
    { view: listed(of.view), do: listed(of.do), manage: listed(of.manage) },
  ])
  return { areas: Object.fromEntries(areas) as ResponseOf<typeof describeAreas>['areas'] }
})

export const roleCalls: readonly Handler[] = [loadRoles, store, remove, describe]
