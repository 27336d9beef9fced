import { beforeAll, describe, expect, it } from 'vitest'
import { harborCity } from '../../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { defaultsOf, policies, rights } from '../../../shared/privileges.ts'
import { labelledMask } from '../../../shared/privilege-labels.ts'
import { testClock, testPortal } from '../../../test/harness.ts'
import { addTestPlatformStaff, openTestCompany } from '../../../test/company.ts'
import { importerOf } from '../../../test/imported-records.ts'
import { wholeMasks } from '../rules.ts'

const MAPLE = 'maplegrove.localhost'
const ADMIN = 'admin.localhost'
const portal = await testPortal({ clock: testClock() })
const tokens: Record<string, string> = {}
const ids: Record<string, number> = {}
let maple = 0

/** Returns the masks that the privilege matrix sends: the role's defaults with some masks replaced by `changes`. */
const masksFor = (roleId: number, changes: Record<string, number> = {}) =>
  Object.fromEntries(
    Object.keys(policies).map((name) => {
      const policy = name as keyof typeof policies
      return [name, changes[name] ?? (defaultsOf(roleId)[policy] ?? 0) & labelledMask(policy)]
    }),
  )

const callAs = (path: string, body: object, by = 'admin') =>
  portal.post(MAPLE, `muni/${path}`, body, { token: tokens[by] ?? '' })
const callPlatform = (path: string, body: object, by = 'super') =>
  portal.post(ADMIN, `admin/${path}`, body, { token: tokens[by] ?? '' })
const member = async (id: number) => (await callAs('return/municipality/staff/member', { personId: id })).body
const change = (name: string, step: string, by = 'admin') =>
  callAs('change/municipality/staff/status', { personId: ids[name], step }, by)
const audits = async (action: string) =>
  (await portal.owner.query('SELECT subject, detail FROM audit_event WHERE action = $1 ORDER BY id DESC', [action]))
    .rows
const person = (changes: object = {}) => ({
  ...{ firstName: 'Ann', lastName: 'Reese', roleId: 3, position: 1, departmentId: null },
  ...changes,
})

async function meet(email: string, name: string, host = MAPLE): Promise<void> {
  tokens[name] = await portal.signIn(host, email)
  const table = host === ADMIN ? 'platform_person' : 'person'
  const { rows } = await portal.owner.query(`SELECT id FROM ${table} WHERE email = $1`, [email])
  ids[name] = rows[0].id
}

/** Adds a member of the company's staff with the demo password. */
async function addMember(name: string, roleId: number): Promise<void> {
  await portal.owner.query(
    `INSERT INTO person (company_id, email, role_id, first_name, last_name, password_hash, position)
     SELECT company_id, $1, $2, $3, 'Second', password_hash, 1 FROM person WHERE email = 'admin@maplegrove.example'`,
    [`${name}@maplegrove.example`, roleId, name],
  )
  await meet(`${name}@maplegrove.example`, name)
}

beforeAll(async () => {
  maple = await openTestCompany(portal, mapleGrove)
  await openTestCompany(portal, harborCity)
  await addTestPlatformStaff(portal)
  for (const name of ['admin', 'manager', 'staff', 'resident']) await meet(`${name}@maplegrove.example`, name)
  await meet('admin@harborcity.example', 'harbor', 'harborcity.localhost')
  await meet('super@mainstreet.example', 'super', ADMIN)
  await meet('callcenter@mainstreet.example', 'callcenter', ADMIN)
})

describe('the list of staff', () => {
  it('shows the company’s staff by last name, without residents and other companies', async () => {
    const { body } = await callAs('return/municipality/staff', { direction: 'asc', filters: {} })
    expect(body.rows.map((row: { lastName: string }) => row.lastName)).toEqual(['Kowalski', 'Okafor', 'Sawyer'])
    expect(body.rows[0]).toMatchObject({
      role: 'Municipality Staff',
      status: 'active',
      differs: 0,
      lastSignIn: '2026-11-20T15:00:00.000Z',
      can: { view: true, edit: true, activate: false },
    })
    // No one can edit their own account.
    expect(body.rows[2].can.edit).toBe(false)
  })

  it('pages both ways, searches and filters', async () => {
    const list = async (question: object) =>
      (await callAs('return/municipality/staff', { direction: 'asc', filters: {}, ...question })).body
    const first = await list({ pageSize: 2 })
    const second = await list({ pageSize: 2, cursor: first.next })
    expect([first.rows.length, second.rows.length, second.next, first.count]).toEqual([2, 1, null, 3])
    expect((await list({ pageSize: 2, cursor: second.previous })).rows).toEqual(first.rows)
    expect((await list({ search: 'OKA' })).rows).toHaveLength(1)
    expect((await list({ search: 'kowalski  elena' })).rows).toHaveLength(1)
    expect((await list({ filters: { status: 'locked' } })).rows).toEqual([])
    expect((await callAs('return/municipality/staff', { filters: {}, cursor: 'nonsense' })).status).toBe(400)
  })

  it('returns the names of active staff for selects', async () => {
    const { body } = await callAs('return/municipality/users', { companyId: maple, fromUtilSetUp: true })
    expect(body.users.map((user: { first_name: string }) => user.first_name)).toEqual(['Elena', 'Marcus', 'Judith'])
  })

  it('exports CSV', async () => {
    const { body } = await callAs('export/municipality/staff', { direction: 'asc', filters: {} })
    const file = await portal.get(MAPLE, body.url)
    expect(file.headers['content-disposition']).toContain('staff-maplegrove-2026-11-20.csv')
    expect(String(file.body).split('\n')[1]).toContain('Kowalski,Elena,staff@maplegrove.example,Municipality Staff')
  })
})

describe('an invitation to a company', () => {
  const invite = (changes: object = {}, by = 'admin') =>
    callAs('invite/municipality/staff', { ...person(), email: 'ann@maplegrove.example', ...changes }, by)
  const lastCode = async () => /invitation=([\w-]{43})/.exec((await portal.emails()).at(-1)?.text_body ?? '')?.[1] ?? ''
  const accept = (code: string, password = 'Quarry-Lantern#41', host = MAPLE) =>
    portal.post(host, 'accept/invitation', { code, password })

  it('is emailed, sets a password once, and signs in', async () => {
    const { status, body } = await invite()
    expect(status).toBe(200)
    ids['ann'] = body.personId
    expect((await member(body.personId)).person.status).toBe('invited')
    const [emailMessage] = (await portal.emails()).toReversed()
    expect(emailMessage).toMatchObject({ to_address: 'ann@maplegrove.example', company_id: maple })
    expect(emailMessage?.text_body).toContain('November 23, 2026, 10:00 AM')
    const code = await lastCode()
    expect((await accept(code, 'weak')).status).toBe(422)
    expect((await accept(code, undefined, 'harborcity.localhost')).status).toBe(409)
    expect((await accept(code)).body.email).toBe('ann@maplegrove.example')
    expect((await accept(code)).body.code).toBe('invitation_expired')
    expect(await portal.signIn(MAPLE, 'ann@maplegrove.example', 'Quarry-Lantern#41')).toMatch(/^[\w-]{43}$/)
    expect((await audits('staff.invited'))[0].detail).toEqual({
      role: 'Municipality Staff',
      position: 'Staff',
      department: null,
    })
  })

  it('is refused for an existing email, in any spelling', async () => {
    const { status, body } = await invite({ email: 'STAFF@maplegrove.example' })
    expect([status, Object.keys(body.details.fields)]).toEqual([422, ['email']])
  })

  it('expires after 72 hours or with a newer invitation', async () => {
    const { body } = await invite({ email: 'late@maplegrove.example' })
    const first = await lastCode()
    const again = () => callAs('invite/municipality/staff/again', { personId: body.personId })
    expect((await again()).status).toBe(200)
    expect((await accept(first)).body.code).toBe('invitation_expired')
    const second = await lastCode()
    portal.clock.advance(72 * 3_600_000)
    expect((await accept(second)).body.code).toBe('invitation_expired')
    portal.clock.advance(-72 * 3_600_000)
    expect((await accept(second)).status).toBe(200)
    expect((await again()).body.code).toBe('wrong_status')
  })

  it('is refused for a deactivated person', async () => {
    const { body } = await invite({ email: 'gone@maplegrove.example' })
    const code = await lastCode()
    await callAs('change/municipality/staff/status', { personId: body.personId, step: 'deactivate' })
    expect((await accept(code)).body.code).toBe('inactive')
  })

  it('requires an administrator', async () => {
    expect((await invite({ email: 'x@y.example' }, 'manager')).status).toBe(403)
    expect((await invite({ email: 'x@y.example' }, 'staff')).status).toBe(403)
  })
})

describe('a change of a staff member', () => {
  it('is audited with old and new values and applies to the next call', async () => {
    const call = () =>
      portal.post(MAPLE, 'muni/return/municipality/staff', { filters: {} }, { token: tokens['staff'] ?? '' })
    expect((await call()).status).toBe(403)
    const saved = await callAs('save/municipality/staff', {
      ...person({ firstName: 'Elena', lastName: 'Kowalski', roleId: 4, position: 2 }),
      personId: ids['staff'],
    })
    expect(saved.status).toBe(200)
    expect((await call()).status).toBe(200)
    const [{ subject, detail }] = await audits('staff.changed')
    expect([subject, detail]).toEqual([
      String(ids['staff']),
      {
        role: { from: 'Municipality Staff', to: 'Municipality Manager' },
        position: { from: null, to: 'Deputy Manager' },
      },
    ])
    await callAs('save/municipality/staff', {
      ...person({ firstName: 'Elena', lastName: 'Kowalski' }),
      personId: ids['staff'],
    })
    expect((await call()).status).toBe(403)
  })

  it('refuses roles, positions and departments that the company does not have', async () => {
    for (const invalid of [{ roleId: 909 }, { roleId: 1 }, { position: 9 }, { position: null }, { firstName: ' ' }])
      expect((await callAs('save/municipality/staff', { ...person(invalid), personId: ids['staff'] })).status).toBe(400)
    expect(
      (await callAs('save/municipality/staff', { ...person({ departmentId: 99_999 }), personId: ids['staff'] })).status,
    ).toBe(422)
  })

  it('does not reach other companies, residents or the platform', async () => {
    for (const name of ['harbor', 'resident', 'super'])
      for (const [path, body] of [
        ['return/municipality/staff/member', {}],
        ['save/municipality/staff', person()],
        ['change/municipality/staff/status', { step: 'lock' }],
        ['save/municipality/staff/privileges', { privileges: null }],
        ['invite/municipality/staff/again', {}],
      ] as const)
        expect([path, (await callAs(path, { ...body, personId: ids[name] })).status]).toEqual([path, 404])
  })

  it('is refused for one’s own account', async () => {
    const own = { personId: ids['admin'] }
    for (const [path, body] of [
      ['save/municipality/staff', person({ roleId: 5 })],
      ['change/municipality/staff/status', { step: 'lock' }],
      ['save/municipality/staff/privileges', { privileges: null }],
    ] as const) {
      const { status, body: response } = await callAs(path, { ...body, ...own })
      expect([status, response.message]).toEqual([403, 'This is your own account. Someone else must change it.'])
    }
  })

  it('locks, unlocks, deactivates and activates, and ends sessions immediately', async () => {
    await addMember('clerk', 3)
    const call = () => portal.post(MAPLE, 'muni/return/event/types', {}, { token: tokens['clerk'] ?? '' })
    expect((await call()).status).toBe(200)
    expect((await change('clerk', 'lock')).body.message).toBe('clerk Second has been locked out and signed out.')
    expect((await call()).status).toBe(401)
    expect((await member(ids['clerk'] ?? 0)).person.status).toBe('locked')
    expect((await change('clerk', 'lock')).status).toBe(409)
    expect((await change('clerk', 'unlock')).status).toBe(200)
    // The session that the portal ended stays invalid.
    expect((await call()).status).toBe(401)
    await meet('clerk@maplegrove.example', 'clerk')
    expect((await change('clerk', 'deactivate')).status).toBe(200)
    expect((await call()).status).toBe(401)
    expect((await change('clerk', 'unlock')).body.message).toContain('has the status “Inactive”')
    expect((await change('clerk', 'activate')).status).toBe(200)
    const entries = await audits('staff.locked')
    expect(entries[0].detail).toEqual({ status: { from: 'active', to: 'locked' } })
    for (const action of ['staff.unlocked', 'staff.deactivated', 'staff.activated'])
      expect([action, (await audits(action)).length > 0]).toEqual([action, true])
  })
})

describe('privileges', () => {
  const save = (name: string, privileges: object | null, by = 'admin') =>
    callAs('save/municipality/staff/privileges', { personId: ids[name], privileges, basis: masksFor(3) }, by)

  it('are stored as differences from the role and apply immediately', async () => {
    const call = () =>
      portal.post(MAPLE, 'muni/return/municipality/staff', { filters: {} }, { token: tokens['staff'] ?? '' })
    expect((await save('staff', masksFor(3, { user_management: rights.view }))).status).toBe(200)
    expect((await call()).status).toBe(200)
    const { rows } = await portal.owner.query('SELECT privileges FROM person WHERE id = $1', [ids['staff']])
    expect(rows[0].privileges).toEqual({ user_management: 1 })
    expect((await audits('staff.privileges_changed'))[0].detail).toEqual({
      user_management: { from: undefined, to: 1 },
    })
    expect((await member(ids['staff'] ?? 0)).person.differs).toBe(1)
    expect((await save('staff', null)).status).toBe(200)
    expect((await call()).status).toBe(403)
  })

  it('cannot set bits without a label', async () => {
    expect((await save('staff', masksFor(3, { user_management: 31 }))).status).toBe(422)
    expect((await save('staff', masksFor(3, { user_management: 32 }))).status).toBe(400)
    expect((await save('staff', { made_up: 1 })).status).toBe(400)
    // The role adds the bits of permissions without a label only if the person has any permission in the sub-module.
    expect(wholeMasks(5, masksFor(5))['user_management']).toBe(31)
    expect(wholeMasks(5, masksFor(5, { user_management: 0 }))['user_management']).toBe(0)
    expect(wholeMasks(3, masksFor(3, { user_management: 3 }))['user_management']).toBe(3)
  })

  it('can only be granted by a person who holds them', async () => {
    await portal.owner.query(`UPDATE person SET privileges = '{"user_management": 31}' WHERE id = $1`, [ids['manager']])
    const { status, body } = await save('staff', masksFor(3, { upload_parcel: rights.view }), 'manager')
    expect([status, body.message]).toEqual([
      403,
      "You can't grant permissions that you don't have yourself: Upload parcels.",
    ])
    expect((await save('staff', masksFor(3, { transaction_management: 5 }), 'manager')).status).toBe(200)
    // The portal also refuses to assign higher roles and to change accounts with a higher role.
    const raise = await callAs(
      'save/municipality/staff',
      { ...person({ roleId: 5 }), personId: ids['staff'] },
      'manager',
    )
    expect([raise.status, raise.body.message]).toEqual([403, expect.stringContaining('above your own.')])
    expect((await change('admin', 'lock', 'manager')).body.message).toContain('is higher than yours')
    await portal.owner.query(`UPDATE person SET privileges = '{"user_management": 31, "chat": 0}' WHERE id = $1`, [
      ids['manager'],
    ])
    const invite = { ...person(), email: 'new@maplegrove.example' }
    expect((await callAs('invite/municipality/staff', invite, 'manager')).body.message).toContain('Chat')
    await portal.owner.query(`UPDATE person SET privileges = '{}' WHERE id IN ($1, $2)`, [ids['manager'], ids['staff']])
  })

  it('are never read from headers or bodies', async () => {
    const body = {
      ...person(),
      email: 'evil@maplegrove.example',
      privileges: { user_management: 31 },
      role: 909,
      role_id: 5,
      is_active: 1,
    }
    const { body: response } = await callAs('invite/municipality/staff', body)
    const { rows } = await portal.owner.query('SELECT role_id, privileges FROM person WHERE id = $1', [
      response.personId,
    ])
    expect(rows[0]).toEqual({ role_id: 3, privileges: {} })
  })
})

describe('the last administrator', () => {
  const chiefs = async () =>
    (
      await portal.owner.query(
        `SELECT id FROM person WHERE company_id = $1 AND role_id = 5 AND is_active = 1 AND locked_at IS NULL AND password_hash IS NOT NULL`,
        [maple],
      )
    ).rows.length

  it.each([
    ['deactivated', 'change/municipality/staff/status', { step: 'deactivate' }],
    ['locked', 'change/municipality/staff/status', { step: 'lock' }],
    ['demoted', 'save/municipality/staff', person({ roleId: 4 })],
    [
      'shorn of user management',
      'save/municipality/staff/privileges',
      { privileges: masksFor(5, { user_management: 0 }), basis: masksFor(5) },
    ],
  ])('cannot be %s', async (_how, path, body) => {
    const { status, body: response } = await portal.post(
      ADMIN,
      `muni/${path}`,
      { ...body, companyId: maple, personId: ids['admin'] },
      { token: tokens['super'] ?? '' },
    )
    expect([status, response.code]).toEqual([409, 'last_administrator'])
    expect(await chiefs()).toBe(1)
  })

  it('stays if two of them lock each other concurrently', async () => {
    for (let round = 0; round < 10; round += 1) {
      const other = `twin${round}`
      await addMember(other, 5)
      const responses = await Promise.all([change(other, 'lock', 'admin'), change('admin', 'lock', other)])
      const statuses = responses.map((response) => response.status).toSorted()
      expect(statuses[0]).toBe(200)
      // The second call fails, because its caller is already locked or would lock the last administrator.
      expect([401, 409]).toContain(statuses[1])
      expect(await chiefs()).toBe(1)
      await portal.owner.query('UPDATE person SET locked_at = NULL WHERE id = $1', [ids['admin']])
      await portal.owner.query('UPDATE person SET is_active = 0 WHERE id = $1', [ids[other]])
      await meet('admin@maplegrove.example', 'admin')
    }
  })

  it('stays if the platform removes two concurrently', async () => {
    await addMember('spare', 5)
    const lock = (name: string) =>
      portal.post(
        ADMIN,
        'muni/change/municipality/staff/status',
        { companyId: maple, personId: ids[name], step: 'deactivate' },
        { token: tokens['super'] ?? '' },
      )
    const responses = await Promise.all([lock('admin'), lock('spare')])
    expect(responses.map((response) => response.status).toSorted()).toEqual([200, 409])
    expect(await chiefs()).toBe(1)
    await portal.owner.query('UPDATE person SET is_active = 1 WHERE id = ANY ($1)', [[ids['admin'], ids['spare']]])
    await meet('admin@maplegrove.example', 'admin')
  })
})

describe('departments', () => {
  let id = 0
  it('are added and renamed with unique names', async () => {
    const created = await callAs('create/municipality/department', { name: ' Public Works ' })
    id = created.body.departmentId
    expect(created.body.message).toBe('Public Works was added.')
    expect((await callAs('create/municipality/department', { name: 'public works' })).status).toBe(422)
    const rude = await callAs('create/municipality/department', { name: 'Sh1t Works' })
    expect(rude).toMatchObject({
      status: 400,
      body: { message: 'Please choose other words: “Sh1t” cannot be used here.' },
    })
    expect((await callAs('rename/municipality/department', { departmentId: id, name: 'Streets' })).status).toBe(200)
    expect((await audits('department.renamed'))[0].detail).toEqual({ name: { from: 'Public Works', to: 'Streets' } })
    expect((await callAs('return/municipality/departments', {})).body.departments).toEqual([
      {
        ...{ id, name: 'Streets', status: 'active', staff: 0 },
        can: { edit: true, activate: false, inactivate: true },
      },
    ])
  })

  it('with staff are deactivated only after confirmation', async () => {
    await callAs('save/municipality/staff', {
      ...person({ firstName: 'Elena', lastName: 'Kowalski', departmentId: id }),
      personId: ids['staff'],
    })
    const refused = await callAs('inactivate/municipality/department', { departmentId: id })
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'Elena Kowalski works in Streets. They will stay in the department, but you will not be able to assign anyone else to it.',
    ])
    expect((await callAs('inactivate/municipality/department', { departmentId: id, confirmed: true })).status).toBe(200)
    const moved = await callAs('save/municipality/staff', { ...person({ departmentId: id }), personId: ids['manager'] })
    expect([moved.status, moved.body.details.fields.departmentId]).toEqual([
      422,
      'Streets is inactive. Choose another department.',
    ])
    // Staff who are already in the inactive department can still be edited.
    expect(
      (
        await callAs('save/municipality/staff', {
          ...person({ firstName: 'Elena', lastName: 'Kowalski', position: 3, departmentId: id }),
          personId: ids['staff'],
        })
      ).status,
    ).toBe(200)
    expect((await callAs('activate/municipality/department', { departmentId: id })).status).toBe(200)
    const again = await callAs('activate/municipality/department', { departmentId: id })
    expect([again.status, again.body.message]).toEqual([
      409,
      'Streets has the status “Active”, so you cannot do this. Available actions: Deactivate.',
    ])
  })

  it('are not found for another company', async () => {
    const { rows } = await portal.owner.query(
      `INSERT INTO department (company_id, name) SELECT company_id, 'Harbor' FROM person WHERE id = $1 RETURNING id`,
      [ids['harbor']],
    )
    expect((await callAs('rename/municipality/department', { departmentId: rows[0].id, name: 'Ours' })).status).toBe(
      404,
    )
    expect(
      (await callAs('save/municipality/staff', { ...person({ departmentId: rows[0].id }), personId: ids['staff'] }))
        .status,
    ).toBe(422)
  })
})

describe("the platform's own staff", () => {
  it('is listed, invited by email and managed by the same rules', async () => {
    const list = await callPlatform('return/platform/staff', { direction: 'asc', filters: {} })
    interface Row {
      role: string
      status: string
      can: { assign: boolean }
    }
    expect(list.body.rows.map(({ role, status, can }: Row) => [role, status, can.assign])).toEqual([
      ['Call Center', 'active', true],
      ['Super Administrator', 'active', true],
      ['Support', 'inactive', false],
      ['Support', 'active', true],
    ])
    const invited = await callPlatform('invite/platform/staff', {
      ...person({ roleId: 907, position: null }),
      email: 'help@mainstreet.example',
    })
    expect(JSON.stringify(invited.body)).not.toContain('invitation=')
    const { rows: emails } = await portal.owner.query(
      'SELECT to_address, text_body FROM platform_email ORDER BY id DESC LIMIT 1',
    )
    expect(emails[0].to_address).toBe('help@mainstreet.example')
    const link = new URL(/http\S+/.exec(emails[0].text_body)?.[0] ?? '')
    expect(link.origin + link.pathname).toBe('http://admin.localhost:3000/admin/sign-in')
    const code = link.searchParams.get('invitation')
    const accepted = await portal.post(ADMIN, 'admin/accept/invitation', { code, password: 'Quarry-Lantern#41' })
    expect(accepted.status).toBe(200)
    tokens['support'] = await portal.signIn(ADMIN, 'help@mainstreet.example', 'Quarry-Lantern#41')
    ids['support'] = invited.body.personId
    const lock = (name: string, by: string) =>
      callPlatform('change/platform/staff/status', { personId: ids[name], step: 'lock' }, by)
    // The support role may change accounts but not lock them.
    expect((await lock('callcenter', 'support')).status).toBe(403)
    const raise = { ...person({ roleId: 909, position: null }), personId: ids['callcenter'] }
    expect((await callPlatform('save/platform/staff', raise, 'support')).body.message).toContain('above your own.')
    expect((await callPlatform('invite/platform/staff/again', { personId: ids['support'] })).status).toBe(409)
    expect((await lock('support', 'super')).status).toBe(200)
    expect((await callPlatform('return/platform/staff', { filters: {} }, 'support')).status).toBe(401)
    expect((await lock('super', 'super')).status).toBe(403)
    const { rows } = await portal.owner.query(`SELECT detail FROM platform_audit_event WHERE action = 'staff.locked'`)
    expect(rows[0].detail).toEqual({ status: { from: 'active', to: 'locked' } })
  })

  it('keeps its last super administrator', async () => {
    await portal.owner.query(
      `INSERT INTO platform_person (email, role_id, first_name, last_name, password_hash)
       SELECT 'second@mainstreet.example', 909, 'Sam', 'Second', password_hash FROM platform_person WHERE email = 'super@mainstreet.example'`,
    )
    await meet('second@mainstreet.example', 'second', ADMIN)
    const away = (name: string, by: string) =>
      callPlatform('change/platform/staff/status', { personId: ids[name], step: 'deactivate' }, by)
    const responses = await Promise.all([away('second', 'super'), away('super', 'second')])
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1)
    const { rows } = await portal.owner.query('SELECT 1 FROM platform_person WHERE role_id = 909 AND is_active = 1')
    expect(rows).toHaveLength(1)
  })

  it('has separate departments', async () => {
    await portal.owner.query(`UPDATE platform_person SET is_active = 1`)
    await meet('super@mainstreet.example', 'super', ADMIN)
    const created = await callPlatform('create/platform/department', { name: 'Support desk' })
    expect(created.status).toBe(200)
    const { body } = await callPlatform('return/platform/departments', {})
    expect(body.departments).toMatchObject([{ name: 'Support desk', status: 'active', staff: 0 }])
  })
})

it('imports staff with the last name first', async () => {
  const importRecords = importerOf(portal, MAPLE, tokens['admin'] ?? '')
  const { body } = await importRecords(
    'staff',
    'Name,Email,Role\n"Miller, Roy",roy.miller@maplegrove.example,Front Desk',
  )
  expect(body, JSON.stringify(body)).toMatchObject({ imported: true, created: 1 })
  const { rows } = await portal.owner.query(
    `SELECT first_name AS first, last_name AS last FROM person WHERE email = 'roy.miller@maplegrove.example'`,
  )
  expect(rows).toEqual([{ first: 'Roy', last: 'Miller' }])
})
