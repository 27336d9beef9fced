import { beforeAll, describe, expect, test } from 'vitest'
import { type TestPortal, testPortal } from '../../test/harness.ts'
import { importerOf } from '../../test/imported-records.ts'

const HOST = 'maplegrove.localhost'
const HEAD = 'name,email,phone,address,city,state,zip,account'
const PASSWORD = 'Orchard-Gate#31'

let portal: TestPortal
let token = ''
let accounts: string[] = []

beforeAll(async () => {
  portal = await testPortal({ demo: true })
  token = await portal.signIn(HOST, 'admin@maplegrove.example')
  const { rows } = await portal.owner.query<{ n: string }>(
    `SELECT account_number AS n FROM utility_account a JOIN company c ON c.id = a.company_id WHERE subdomain = 'maplegrove'
      AND NOT EXISTS (SELECT FROM linked_account l WHERE l.account_id = a.id) ORDER BY 1 LIMIT 70`,
  )
  accounts = rows.map(({ n }) => n)
  await portal.runJobs()
})

const imported = (lines: string[], more: Parameters<ReturnType<typeof importerOf>>[2] = {}, head = HEAD) =>
  importerOf(portal, HOST, token)('customers', [head, ...lines].join('\n'), { rowErrors: 'leave out', ...more })
const personOf = async (email: string) => {
  const { rows } = await portal.owner.query(
    `SELECT p.*, (SELECT array_agg(account_number ORDER BY 1) FROM linked_account l JOIN utility_account a ON (a.company_id, a.id) = (l.company_id, l.account_id)
      WHERE l.company_id = p.company_id AND l.person_id = p.id) AS accounts,
      (SELECT count(*)::int FROM invitation i WHERE i.company_id = p.company_id AND i.person_id = p.id) AS invitations
     FROM person p JOIN company c ON c.id = p.company_id WHERE subdomain = 'maplegrove' AND lower(email) = $1`,
    [email],
  )
  return rows[0]
}
const callApi = (path: string, body: object = {}, as = token) => portal.post(HOST, path, body, { token: as })
const invitationsTo = async (email: string) =>
  (await portal.emails()).filter(
    ({ to_address, text_body }) => to_address === email && text_body.includes('invitation='),
  )

describe('import of customers', () => {
  test('creates residents without a password and links their accounts', async () => {
    const before = (await portal.emails()).length
    const { body } = await imported([
      `Ann Lee,Ann.Lee@Example.com,(717) 555-0100,12 Oak Street,Maple Grove,pa,17011-1234,${accounts[0]}; ${accounts[1]}`,
      `"Reese, Bo",bo@example.com,,,,,,`,
    ])
    expect(body).toMatchObject({ imported: true, created: 2, errorCount: 0 })
    expect(await personOf('ann.lee@example.com')).toMatchObject({
      ...{ first_name: 'Ann', last_name: 'Lee', mobile_no: '(717) 555-0100', service_address: '12 Oak Street' },
      ...{ state: 'PA', zipcode: '17011', role_id: 1, password_hash: null, email_confirmed_at: null },
      ...{ accounts: [accounts[0], accounts[1]], invitations: 0 },
    })
    expect(await personOf('bo@example.com')).toMatchObject({ first_name: 'Bo', last_name: 'Reese', accounts: null })
    await portal.runJobs()
    expect((await portal.emails()).length).toBe(before)
  })

  test('changes residents only before their first sign-in', async () => {
    await imported([`Cy Park,cy@example.com,,,,,,${accounts[2]}`])
    const { body } = await imported([
      `Cy Parker,cy@example.com,717-555-0111,,,,,${accounts[2]} | ${accounts[3]}`,
      `Rose Other,resident@maplegrove.example,,,,,,${accounts[4]}`,
      'Ann Lee,ann.lee@example.com,,,,,,',
    ])
    expect(body).toMatchObject({ changed: 2, unchanged: 1, errorCount: 0 })
    expect(await personOf('cy@example.com')).toMatchObject({
      ...{ last_name: 'Parker', mobile_no: '(717) 555-0111', accounts: [accounts[2], accounts[3]] },
    })
    const resident = await personOf('resident@maplegrove.example')
    expect(resident.first_name).not.toBe('Rose')
    expect(resident.accounts).toContain(accounts[4])
  })

  test('changes nothing in a preview', async () => {
    const { body } = await imported([`Di Lee,di@example.com,,,,,,${accounts[5]}`], { mode: 'preview' })
    expect(body).toMatchObject({ imported: false, created: 1 })
    expect(await personOf('di@example.com')).toBeUndefined()
  })

  test('explains each invalid row', async () => {
    await portal.owner.query(
      `UPDATE person SET email_confirmed_at = NULL FROM company c WHERE c.id = company_id AND subdomain = 'maplegrove' AND email = 'newcomer@maplegrove.example'`,
    )
    await portal.owner.query(
      `INSERT INTO person (company_id, email, role_id, first_name, last_name, is_active)
       SELECT id, 'gone@example.com', 1, 'Gone', 'Lee', 0 FROM company WHERE subdomain = 'maplegrove'`,
    )
    const row = (more: Record<string, string>) => {
      const values: Record<string, string> = { name: 'Ed Lee', email: 'ed@example.com', ...more }
      return HEAD.split(',')
        .map((column) => `"${values[column] ?? ''}"`)
        .join(',')
    }
    const invalid: [Record<string, string>, string][] = [
      [{ email: '' }, 'email'],
      [{ email: 'none' }, 'email'],
      [{ email: 'ed@' }, 'email'],
      [{ email: 'ed@example.com; jo@example.com' }, 'email'],
      [{ email: 'mailto:ed@example' }, 'email'],
      [{ name: '' }, 'Enter the first and last name.'],
      [{ name: 'Ed', email: 'e1@example.com' }, 'Enter the first and last name.'],
      [{ name: 'Lee,', email: 'e2@example.com' }, 'Enter the first and last name.'],
      [{ name: 'Ed <b>Lee</b>', email: 'e3@example.com' }, '<'],
      [{ name: `Ed ${'x'.repeat(90)}`, email: 'e4@example.com' }, '80'],
      [{ phone: '555-0100', email: 'e5@example.com' }, '10-digit phone number'],
      [{ phone: '717-555-0100 ext. 4000000', email: 'e6@example.com' }, '10-digit phone number'],
      [{ phone: 'unlisted', email: 'e7@example.com' }, '10-digit phone number'],
      [{ state: 'Pennsylvania', email: 'e8@example.com' }, 'two capital letters'],
      [{ state: 'QQ', email: 'e9@example.com' }, 'state'],
      [{ zip: '1701', email: 'e10@example.com' }, '5-digit ZIP code'],
      [{ zip: 'K1A 0B1', email: 'e11@example.com' }, '5-digit ZIP code'],
      [{ address: 'x'.repeat(201), email: 'e12@example.com' }, '200'],
      [
        { account: 'NO-SUCH', email: 'e13@example.com' },
        'No account has the number “NO-SUCH”. Import the accounts first',
      ],
      [{ account: `${accounts[0]} ${accounts[1]}`, email: 'e14@example.com' }, 'No account has the number'],
      [{ account: accounts.slice(0, 61).join(';'), email: 'e15@example.com' }, 'up to 60 accounts'],
      [{ email: 'ADMIN@maplegrove.example' }, 'A staff member has an account with the email'],
      [{ email: 'gone@example.com' }, 'inactive'],
      [{ email: 'newcomer@maplegrove.example', account: accounts[6] ?? '' }, 'has not confirmed the email'],
    ]
    const { body } = await imported(invalid.map(([more]) => row(more)))
    expect(body.invalidRows.map(({ reason }) => reason)).toEqual(
      invalid.map(([, reason]) => expect.stringContaining(reason)),
    )
    const twice = await imported([row({ email: 'twice@example.com' }), row({ email: 'TWICE@example.com' })])
    expect(twice.body).toMatchObject({ created: 1, errorCount: 1 })
    expect(twice.body.invalidRows[0]?.reason).toContain('Use one row, with all account numbers')
  })
})

describe('invitations of imported residents', () => {
  test('are sent once, and lead to a password and the linked accounts', async () => {
    await imported([`Flo Lee,flo@example.com,,,,,,${accounts[7]}`])
    const { count } = (await callApi('muni/return/customer/invitations')).body
    expect(count).toBeGreaterThan(1)
    const sent = await callApi('muni/send/customer/invitations')
    expect(sent).toMatchObject({ status: 200, body: { message: `The portal is sending ${count} invitations.` } })
    expect((await callApi('muni/return/customer/invitations')).body.count).toBe(0)
    expect(await callApi('muni/send/customer/invitations')).toMatchObject({ status: 409, body: { code: 'none_left' } })
    await portal.runJobs()
    const emails = await invitationsTo('flo@example.com')
    expect(emails).toHaveLength(1)
    const code = /invitation=([\w-]{43})/.exec(emails[0]?.text_body ?? '')?.[1] ?? ''
    const accepted = await portal.post(HOST, 'accept/invitation', { code, password: PASSWORD })
    expect(accepted).toMatchObject({ status: 200, body: { email: 'flo@example.com' } })
    const resident = await portal.signIn(HOST, 'flo@example.com', PASSWORD)
    expect(resident).not.toBe('')
    expect(await personOf('flo@example.com')).toMatchObject({ accounts: [accounts[7]] })
    expect((await personOf('flo@example.com')).email_confirmed_at).not.toBeNull()
    const { rows } = await portal.owner.query(
      "SELECT detail FROM audit_event WHERE action = 'person.invited' ORDER BY id DESC LIMIT 1",
    )
    expect(rows[0]?.detail).toMatchObject({ count })
  })

  test('go to people of a later import only', async () => {
    await imported(['Gus Lee,gus@example.com,,,,,,', 'Flo Lee,flo@example.com,,,,,,'])
    expect((await callApi('muni/send/customer/invitations')).body.message).toBe('The portal is sending 1 invitation.')
    await portal.runJobs()
    expect(await invitationsTo('gus@example.com')).toHaveLength(1)
    expect(await invitationsTo('flo@example.com')).toHaveLength(1)
  })

  test('prevent the undo of the import', async () => {
    const { body } = await imported(['Hal Lee,hal@example.com,,,,,,'])
    await callApi('muni/send/customer/invitations')
    expect(await callApi('muni/undo/import', { importId: body.importId })).toMatchObject({
      ...{ status: 409, body: { details: { causes: ['emailed'] } } },
    })
  })

  test('need the permission, and a municipality that is online', async () => {
    const staff = await portal.signIn(HOST, 'staff@maplegrove.example')
    expect((await callApi('muni/send/customer/invitations', {}, staff)).status).toBe(403)
    expect((await callApi('muni/return/customer/invitations', {}, staff)).status).toBe(403)
    expect((await importerOf(portal, HOST, staff)('customers', `${HEAD}\nAnn Lee,x@example.com,,,,,,`)).status).toBe(
      403,
    )
    await imported(['Ida Lee,ida@example.com,,,,,,'])
    await portal.owner.query("UPDATE company SET is_online = 0 WHERE subdomain = 'maplegrove'")
    portal.context.hosts.forget()
    expect(await callApi('muni/send/customer/invitations')).toMatchObject({ status: 409, body: { code: 'offline' } })
  })
})
