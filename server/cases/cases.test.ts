import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CaseEntry } from '../../shared/cases.ts'
import { type ApiResponse, type TestPortal, testPortal } from '../../test/harness.ts'
import {
  makePotholeTable,
  type Pothole,
  potholeCalls,
  potholeCase,
  potholes,
  showPothole,
} from '../../test/potholes.ts'
import type { LiveEvent } from '../live.ts'
import { mountCalls } from '../mount.ts'
import { emailPerson } from './emails.ts'

const HOST = { maple: 'maplegrove.localhost', harbor: 'harborcity.localhost', admin: 'admin.localhost' }

let portal: TestPortal
const tokens: Record<string, string> = {}
const people: Record<string, number> = {}
let maple = 0
let streets = 0
/** Live events that the screens of the company and the platform received. */
const heard: LiveEvent[] = []

beforeAll(async () => {
  portal = await testPortal({ demo: true })
  mountCalls(portal.app, portal.context, potholeCalls)
  await makePotholeTable(portal.owner)
  for (const role of ['staff', 'manager', 'admin', 'resident'])
    tokens[role] = await portal.signIn(HOST.maple, `${role}@maplegrove.example`)
  tokens['harbor'] = await portal.signIn(HOST.harbor, 'admin@harborcity.example')
  tokens['support'] = await portal.signIn(HOST.admin, 'support@mainstreet.example')
  tokens['super'] = await portal.signIn(HOST.admin, 'super@mainstreet.example')
  const { rows: companies } = await portal.owner.query('SELECT id, subdomain FROM company')
  maple = companies.find(({ subdomain }) => subdomain === 'maplegrove').id
  const { rows } = await portal.owner.query(
    `SELECT id, email FROM person WHERE role_id BETWEEN 3 AND 5 UNION ALL SELECT id, email FROM platform_person`,
  )
  for (const { id, email } of rows) people[email] = Number(id)
  streets = Number(
    (
      await portal.owner.query(`INSERT INTO department (company_id, name) VALUES ($1, 'Potholes') RETURNING id`, [
        maple,
      ])
    ).rows[0].id,
  )
  await portal.owner.query(
    `UPDATE person SET department_id = $1 WHERE email IN ('staff@maplegrove.example', 'manager@maplegrove.example')`,
    [streets],
  )
  await portal.context.live.start()
  for (const scope of [maple, 0]) portal.context.live.subscribe(scope as never, (event) => heard.push(event))
}, 120_000)

beforeEach(async () => {
  await portal.owner.query('DELETE FROM failed_guess')
  heard.length = 0
})

const email = (role: string) => `${role}@maplegrove.example`
const callAs = (call: { path: string }, body: object, role = 'staff'): Promise<ApiResponse> =>
  portal.post(role === 'harbor' ? HOST.harbor : HOST.maple, call.path, body, { token: tokens[role] ?? '' })
const guest = (call: { path: string }, body: object, host = HOST.maple) =>
  portal.post(host, call.path, body, { headers: { 'idempotency-key': randomUUID() } })
let nth = 0
/** Reports a pothole. Returns the report with the secret from the emailed link. */
async function reported() {
  const to = `kim${(nth += 1)}@example.org`
  const company = await portal.context.hosts.byId(maple)
  if (!company) throw new Error('there is no Maple Grove')
  const id = await portal.context.inCompany(company.id, async (tx) => {
    const { rows } = await sql<Pothole>`
      INSERT INTO pothole (company_id, street, email) VALUES (${maple}, 'Canal Street', ${to}) RETURNING *`.execute(tx)
    const [row] = rows
    if (!row) throw new Error('there is no pothole')
    await emailPerson(tx, portal.context, potholes, company, row, () => ({
      subject: 'Thank you',
      paragraphs: ['We look.'],
    }))
    return row.id
  })
  const [emailMessage] = await emailsTo(to)
  return { subjectId: id, to, token: /\/pothole\/([\w-]{43})/.exec(emailMessage?.text_body ?? '')?.[1] ?? '' }
}
const loadPothole = async (subjectId: number, role?: string) => (await callAs(showPothole, { subjectId }, role)).body
const reply = async (subjectId: number, message: string, more: object = {}, role?: string) =>
  callAs(
    potholeCase.reply,
    { subjectId, message, seen: (await loadPothole(subjectId, role)).lastMessageId, ...more },
    role,
  )
const note = (subjectId: number, message: string, role?: string) =>
  callAs(potholeCase.note, { subjectId, message }, role)
const emailsTo = async (to: string) => (await portal.emails()).filter(({ to_address }) => to_address === to)
const platformEmailsTo = async (to: string) =>
  (await portal.owner.query('SELECT subject, text_body FROM platform_email WHERE to_address = $1 ORDER BY id', [to]))
    .rows
const unread = async (role: string) => (await callAs(potholeCase.unread, {}, role)).body.cases
/** Sends the pending notifications to staff. Notifications are delayed, so that one email can combine several. */
const notifyStaff = async () => {
  await portal.runJobs()
  portal.clock.advance(120_000)
  await portal.runJobs()
}
const kindsOf = (entries: CaseEntry[]) => entries.map(({ kind, text, label }) => [kind, text || label])

describe('presence', () => {
  const screen = randomUUID()
  const present = async (role: string) => (await callAs(potholeCase.present, {}, role)).body.people
  const notePresence = (subjectId: number, state: string, role: string, on = screen) =>
    callAs(potholeCase.presence, { subjectId, state, screen: on }, role)

  test('shows other staff who has a case open and who answers, until they leave or stop', async () => {
    const { subjectId } = await reported()
    expect((await notePresence(subjectId, 'viewing', 'manager')).status).toBe(200)
    await expect
      .poll(() => present('staff'))
      .toEqual([{ companyId: maple, id: subjectId, name: expect.any(String), isWriting: false }])
    expect(heard).toContainEqual({ topic: 'potholes', id: subjectId, presence: true })
    expect(await present('manager')).toEqual([])
    expect(await present('harbor')).toEqual([])
    // The person writes on one screen and reads on another.
    const other = randomUUID()
    await notePresence(subjectId, 'writing', 'manager', other)
    await expect.poll(() => present('staff')).toMatchObject([{ isWriting: true }])
    await notePresence(subjectId, 'gone', 'manager', other)
    await expect.poll(() => present('staff')).toMatchObject([{ isWriting: false }])
    // A closed browser sends nothing more.
    portal.clock.advance(41_000)
    expect(await present('staff')).toEqual([])
  })

  test('is refused for people who may not read the case, and for other municipalities', async () => {
    const { subjectId } = await reported()
    expect((await notePresence(subjectId, 'viewing', 'resident')).status).toBe(403)
    expect((await notePresence(subjectId, 'viewing', 'harbor')).status).toBe(404)
    expect((await notePresence(subjectId, 'reading', 'staff')).status).toBe(400)
  })
})

describe('visibility', () => {
  test('hides a staff note from links, emails and live events', async () => {
    const { subjectId, token, to } = await reported()
    await note(subjectId, 'Kim is my neighbor, zebra.')
    await reply(subjectId, 'We fill it on Monday.', { complete: true })
    await portal.runJobs()
    const { entries } = await loadPothole(subjectId, 'admin')
    expect(kindsOf(entries)).toEqual([
      ['note', 'Kim is my neighbor, zebra.'],
      ['reply', 'We fill it on Monday.'],
      ['step', 'with asphalt'],
      ['step', 'to the county'],
    ])
    const { status, body } = await guest(potholeCase.messages, { token })
    expect([status, kindsOf(body.entries)]).toEqual([
      200,
      [
        ['reply', 'We fill it on Monday.'],
        ['step', 'Filled'],
      ],
    ])
    // The requester must not see the note, the reason and author of each step, or the name of the staff member who
    // replied.
    expect(JSON.stringify(body)).not.toMatch(/zebra|asphalt|county|Billed|Marcus|Elena|Kowalski/)
    expect(body.entries[0].by).toBe('Public Works')
    const { rows } = await portal.owner.query(
      `SELECT text_body, html_body, subject FROM email_outbox UNION ALL SELECT text_body, html_body, subject FROM platform_email`,
    )
    expect(JSON.stringify(rows)).not.toContain('zebra')
    expect(await emailsTo(to)).toHaveLength(2)
    await expect.poll(() => heard.length).toBeGreaterThan(1)
    for (const event of heard) expect(event).toEqual({ topic: 'potholes', id: subjectId })
  })

  test('closes a case to residents, other companies and the platform', async () => {
    const { subjectId } = await reported()
    const body = { subjectId, message: 'Hello', seen: 0, personId: null, watches: true, upTo: 0 }
    for (const call of [
      showPothole,
      potholeCase.reply,
      potholeCase.note,
      potholeCase.assign,
      potholeCase.follow,
      potholeCase.seen,
    ]) {
      expect([call.path, (await callAs(call, body, 'resident')).status]).toEqual([call.path, 403])
      expect([call.path, (await callAs(call, body, 'harbor')).status]).toEqual([call.path, 404])
    }
    const response = await portal.post(
      HOST.admin,
      showPothole.path,
      { ...body, companyId: maple },
      { token: tokens['super'] ?? '' },
    )
    expect(response.status).toBe(403)
  })
})

describe('emailed link', () => {
  test('accepts messages only in its company, case kind and lifetime', async () => {
    const { subjectId, token } = await reported()
    const write = (secret: string, host?: string) =>
      guest(potholeCase.message, { token: secret, message: 'It is deeper now.' }, host)
    expect((await write(token)).body.message).toBe('Your message was sent. We will reply by email.')
    expect(kindsOf((await loadPothole(subjectId)).entries)).toEqual([['message', 'It is deeper now.']])
    const expiredText = 'This link does not work, or it is too old. Please report the pothole again.'
    for (const [secret, host] of [['A'.repeat(43)], [token, HOST.harbor]] as const)
      expect((await write(secret, host)).body.message).toBe(expiredText)
    expect((await write('short')).status).toBe(400)
    // A pothole and a support request may have the same number. The link to one does not open the other.
    const other = await reported()
    await portal.owner.query(
      `UPDATE case_link SET subject_id = (SELECT min(id) FROM support_request WHERE company_id = $1) WHERE subject_id = $2`,
      [maple, other.subjectId],
    )
    expect((await guest({ path: 'return/support/messages' }, { token: other.token })).status).toBe(404)
    await portal.owner.query('UPDATE case_link SET expires_at = $1', [portal.clock.now()])
    expect((await write(token)).status).toBe(404)
    expect((await guest(potholeCase.messages, { token })).status).toBe(404)
  })

  test('refuses messages to closed or full cases and with card numbers', async () => {
    const { subjectId, token } = await reported()
    const write = (message: string) => guest(potholeCase.message, { token, message })
    expect((await write('  ')).body.details.fields.message).toBe('Enter your message.')
    expect((await write('My card is 4242 4242 4242 4242.')).status).toBe(400)
    await portal.owner.query(
      `INSERT INTO case_entry (company_id, subject_kind, subject_id, at, kind, visibility, author_kind, author_name, text)
       SELECT $1, 'pothole', $2, now(), 'note', 'staff', 'municipality', 'E', 'x' FROM generate_series(1, 200)`,
      [maple, subjectId],
    )
    expect((await write('One more.')).body.message).toBe('There is enough said of this pothole.')
    const other = await reported()
    await reply(other.subjectId, 'Done.', { complete: true })
    const refused = await guest(potholeCase.message, { token: other.token, message: 'Really?' })
    expect([refused.status, refused.body.message]).toEqual([409, `P${other.subjectId} is filled.`])
  })
})

describe('concurrent replies', () => {
  test('shows the second author the other text and sends nothing', async () => {
    const { subjectId, to } = await reported()
    const responses = await Promise.all(
      ['staff', 'manager'].map((role) =>
        callAs(potholeCase.reply, { subjectId, message: `From ${role}.`, seen: 0 }, role),
      ),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(responses.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'newer_message',
      message: 'Someone wrote a new message. Read it, then send or change your reply.',
    })
    expect(await emailsTo(to)).toHaveLength(2)
    const { entries } = await loadPothole(subjectId)
    expect(entries).toHaveLength(1)
    expect((await reply(subjectId, 'And more.')).status).toBe(200)
  })
})

describe('assignments', () => {
  const assign = (subjectId: number, holder: object, role?: string) =>
    callAs(potholeCase.assign, { subjectId, personId: null, ...holder }, role)

  test('emails the new assignee once, even if the assignment or job repeats', async () => {
    const { subjectId } = await reported()
    const assignee = { personId: people[email('staff')] }
    const before = (await emailsTo(email('staff'))).length
    expect((await assign(subjectId, assignee, 'manager')).body.message).toBe(
      `P${subjectId} was assigned to Elena Kowalski.`,
    )
    expect((await assign(subjectId, assignee, 'manager')).status).toBe(200)
    const { rows } = await portal.owner.query(
      `SELECT id FROM case_entry WHERE subject_kind = 'pothole' AND subject_id = $1`,
      [subjectId],
    )
    expect(rows).toHaveLength(1)
    await notifyStaff()
    // A job may run again after it finished, or on several portals in parallel.
    const again = { company: maple, entry: Number(rows[0].id) }
    await Promise.all([1, 2, 3].map(() => portal.context.jobs.runNow('cases.notify', again)))
    const emails = (await emailsTo(email('staff'))).slice(before)
    expect(emails.map(({ subject }) => subject)).toEqual([`P${subjectId} was assigned to you`])
    expect(emails[0]?.text_body).toContain(
      `http://maplegrove.localhost:3000/municipality/potholes?pothole=${subjectId}`,
    )
    expect(emails[0]?.text_body).not.toMatch(/Kim|Canal/)
    expect((await loadPothole(subjectId)).entries).toMatchObject([
      { kind: 'assignment', label: 'Elena Kowalski', visibility: 'staff' },
    ])
  })

  test('emails the department except the assigner until one person takes it', async () => {
    const { subjectId } = await reported()
    const before = {
      staff: (await emailsTo(email('staff'))).length,
      manager: (await emailsTo(email('manager'))).length,
    }
    expect((await assign(subjectId, { departmentId: streets }, 'manager')).body.message).toBe(
      `P${subjectId} was assigned to Potholes.`,
    )
    await notifyStaff()
    expect((await emailsTo(email('staff'))).slice(before.staff).map(({ subject }) => subject)).toEqual([
      `P${subjectId} was assigned to your department`,
    ])
    expect(await emailsTo(email('manager'))).toHaveLength(before.manager)
    const row = async () =>
      (await portal.owner.query('SELECT assigned_to, department_id FROM pothole WHERE id = $1', [subjectId])).rows[0]
    expect((await callAs(potholeCase.assignees, {})).body.departments).toContainEqual({
      id: streets,
      name: 'Potholes',
      active: true,
      open: 1,
    })
    await assign(subjectId, { personId: people[email('staff')], from: null, fromDepartment: streets })
    expect(await row()).toEqual({ assigned_to: people[email('staff')], department_id: null })
    // The second person who takes the case from the department is refused.
    const late = await assign(
      subjectId,
      { personId: people[email('manager')], from: null, fromDepartment: streets },
      'manager',
    )
    expect([late.status, late.body.message]).toEqual([
      409,
      `Someone else assigned P${subjectId} to Elena Kowalski. Review the assignment, then try again.`,
    ])
  })

  test('refuses residents, other companies’ staff, two assignees and closed departments', async () => {
    const { subjectId } = await reported()
    const resident = Number(
      (await portal.owner.query(`SELECT id FROM person WHERE email = 'resident@maplegrove.example'`)).rows[0].id,
    )
    expect((await assign(subjectId, { personId: resident })).status).toBe(404)
    expect((await assign(subjectId, { personId: people['admin@harborcity.example'] })).status).toBe(404)
    expect((await assign(subjectId, { departmentId: 999_999 })).status).toBe(404)
    expect((await assign(subjectId, { personId: people[email('staff')], departmentId: streets })).status).toBe(422)
    await portal.owner.query('UPDATE department SET is_active = 0 WHERE id = $1', [streets])
    const closed = await assign(subjectId, { departmentId: streets })
    await portal.owner.query('UPDATE department SET is_active = 1 WHERE id = $1', [streets])
    expect([closed.status, closed.body.message]).toEqual([422, 'Potholes is inactive. Choose another department.'])
  })
})

describe('notifications and unread messages', () => {
  test('notifies watchers of new messages until they stop watching', async () => {
    const { subjectId, token } = await reported()
    const watch = (watches: boolean) => callAs(potholeCase.follow, { subjectId, watches }, 'manager')
    expect((await watch(true)).body.message).toBe(`You are now watching P${subjectId} and will get its updates.`)
    expect((await loadPothole(subjectId, 'manager')).watching).toBe(true)
    expect((await loadPothole(subjectId)).watchers).toHaveLength(1)
    const before = (await emailsTo(email('manager'))).length
    await guest(potholeCase.message, { token, message: 'It rains into it.' })
    await note(subjectId, 'Seen.', 'staff')
    await note(subjectId, 'My own.', 'manager')
    await notifyStaff()
    const emails = (await emailsTo(email('manager'))).slice(before)
    expect(emails.map(({ subject }) => subject)).toEqual([`2 updates on P${subjectId}`])
    expect(emails[0]?.text_body).toContain(`The requester sent a new message in P${subjectId} (Maple Grove).`)
    expect(emails[0]?.text_body).toContain(`Elena Kowalski added a note to P${subjectId} (Maple Grove).`)
    expect(JSON.stringify(emails)).not.toMatch(/rains|Seen\./)
    await watch(false)
    await guest(potholeCase.message, { token, message: 'Still.' })
    await notifyStaff()
    expect(await emailsTo(email('manager'))).toHaveLength(before + 1)
  })

  test('counts unread messages for each person, without their own', async () => {
    const { subjectId, token } = await reported()
    await callAs(potholeCase.assign, { subjectId, personId: people[email('staff')] }, 'manager')
    await callAs(potholeCase.follow, { subjectId, watches: true }, 'admin')
    const own = async (role: string) =>
      (await unread(role))
        .filter(({ id }: { id: number }) => id === subjectId)
        .map(({ count }: { count: number }) => count)
    const read = async (role: string) =>
      callAs(potholeCase.seen, { subjectId, upTo: (await loadPothole(subjectId, role)).lastMessageId }, role)
    await read('staff')
    expect([await own('staff'), await own('admin')]).toEqual([[], []])
    for (const message of ['One.', 'Two.']) await guest(potholeCase.message, { token, message })
    expect([await own('staff'), await own('admin'), await own('manager')]).toEqual([[2], [2], []])
    await read('staff')
    expect([await own('staff'), await own('admin')]).toEqual([[], [2]])
    await note(subjectId, 'Three.', 'staff')
    expect([await own('staff'), await own('admin')]).toEqual([[], [3]])
    // Writing a message does not mark earlier messages as read.
    await note(subjectId, 'My own.', 'admin')
    expect(await own('admin')).toEqual([3])
    // A reader can't mark messages beyond the last one as read. Later messages are still unread.
    await callAs(potholeCase.seen, { subjectId, upTo: Number.MAX_SAFE_INTEGER }, 'admin')
    expect(await own('admin')).toEqual([])
    await guest(potholeCase.message, { token, message: 'Four.' })
    expect(await own('admin')).toEqual([1])
  })

  test('stores a separate mark for the requester', async () => {
    const { subjectId, token } = await reported()
    await reply(subjectId, 'We look.')
    const { body } = await guest(potholeCase.messages, { token })
    expect(body).toMatchObject({ seenId: 0, entries: [{ isOwn: false }] })
    expect((await guest(potholeCase.readMessages, { token, upTo: body.lastMessageId })).status).toBe(200)
    expect((await guest(potholeCase.messages, { token })).body.seenId).toBe(body.lastMessageId)
    expect((await guest(potholeCase.readMessages, { token: 'A'.repeat(43), upTo: 1 })).status).toBe(404)
  })

  test('notifies platform staff of a guest’s message too', async () => {
    const to = 'watched@example.org'
    const sent = await guest(
      { path: 'send/support/request' },
      { name: 'Dot', email: to, phone: '', category: 'site', message: 'The page stays white.' },
    )
    const number = sent.body.number
    const subject = { companyId: maple, subjectId: Number(number.slice(1)) }
    const give = (personId: number | undefined) =>
      portal.post(
        HOST.admin,
        'admin/assign/support/request',
        { ...subject, personId },
        { token: tokens['super'] ?? '' },
      )
    await give(people['support@mainstreet.example'])
    await notifyStaff()
    const token = /\/support\/([\w-]{43})/.exec((await emailsTo(to))[0]?.text_body ?? '')?.[1]
    await guest({ path: 'send/support/message' }, { token, message: 'Hello? My zebra.' })
    await notifyStaff()
    const emails = await platformEmailsTo('support@mainstreet.example')
    const assigned = emails.find(({ subject: line }) => line === `${number} was assigned to you`)
    expect(emails.map(({ subject: line }) => line).toSorted()).toEqual([`New message in ${number}`, assigned?.subject])
    const [body, footer] = assigned?.text_body.split('\n\n-- \n') ?? []
    expect(body).toBe(
      `Ruth Mercer assigned ${number} (Maple Grove) to you.\n\nhttp://admin.localhost:3000/admin/support?request=${maple}.${subject.subjectId}`,
    )
    expect(footer).toMatch(
      /^You are receiving this email because .*\nUnsubscribe: http:\/\/admin\.localhost:3000\/notices\/stop\?of=/,
    )
    expect(JSON.stringify(emails)).not.toMatch(/zebra|Dot/)
    // Deactivated staff get no notifications.
    await portal.owner.query(`UPDATE platform_person SET is_active = 0 WHERE email = 'support@mainstreet.example'`)
    await guest({ path: 'send/support/message' }, { token, message: 'Anybody?' })
    await notifyStaff()
    expect(await platformEmailsTo('support@mainstreet.example')).toHaveLength(2)
  })
})

describe('canned replies', () => {
  const savedReplies = async (role?: string) => (await callAs(potholeCase.savedReplies, {}, role)).body.savedReplies
  const save = (savedReplyId: number | null, more: object, role?: string) =>
    callAs(potholeCase.saveReply, { savedReplyId, title: 'On Monday', text: 'We fill it on Monday.', ...more }, role)

  test('belong to a company and are changed by one person and removed', async () => {
    const { body } = await save(null, {})
    expect(body.message).toBe('Reply saved.')
    expect(await savedReplies()).toEqual([{ id: body.savedReplyId, title: 'On Monday', text: 'We fill it on Monday.' }])
    expect(await savedReplies('harbor')).toEqual([])
    expect((await save(null, { title: 'on monday' })).body.details.fields.title).toMatch(
      /^A saved reply with this name already exists/,
    )
    expect((await save(null, { title: ' ', text: '' })).body.details.fields).toEqual({
      title: 'Enter a name of up to 80 characters for the saved reply.',
      text: 'Enter the reply.',
    })
    expect((await save(body.savedReplyId, { text: 'x' }, 'harbor')).status).toBe(404)
    const basis = { title: 'On Monday', text: 'We fill it on Monday.' }
    expect((await save(body.savedReplyId, { text: 'On Tuesday, then.', basis }, 'manager')).status).toBe(200)
    const late = await save(body.savedReplyId, { text: 'On Friday.', basis })
    expect([late.status, late.body.code, late.body.details.fieldConflicts[0].others]).toEqual([
      409,
      'edit_conflict',
      'On Tuesday, then.',
    ])
    expect((await save(body.savedReplyId, { title: 'On Tuesday', basis })).status).toBe(200)
    expect(await savedReplies()).toMatchObject([{ title: 'On Tuesday', text: 'On Tuesday, then.' }])
    expect((await callAs(potholeCase.removeReply, { savedReplyId: body.savedReplyId }, 'harbor')).status).toBe(200)
    expect(await savedReplies()).toHaveLength(1)
    expect((await callAs(potholeCase.removeReply, { savedReplyId: body.savedReplyId })).body.message).toBe(
      'The reply was removed.',
    )
    expect(await savedReplies()).toEqual([])
  })

  test('have company 0 on the platform and stay hidden from companies', async () => {
    const platform = (path: string, body: object = {}) =>
      portal.post(HOST.admin, path, body, { token: tokens['super'] ?? '' })
    const savedReply = { savedReplyId: null, title: 'Clear the cache', text: 'Please clear it.' }
    expect((await platform('admin/save/support/saved/reply', savedReply)).status).toBe(200)
    await portal.owner.query(
      `INSERT INTO saved_reply (company_id, subject_kind, title, text) VALUES ($1, 'support_request', 'Of a town', 'x')`,
      [maple],
    )
    const { body } = await platform('admin/return/support/saved/replies')
    expect(body.savedReplies.map(({ title }: { title: string }) => title)).toContain('Clear the cache')
    expect(JSON.stringify(body)).not.toContain('Of a town')
    const { rows } = await portal.owner.query(`SELECT company_id FROM saved_reply WHERE title = 'Clear the cache'`)
    expect(rows).toEqual([{ company_id: 0 }])
    expect(await savedReplies()).toEqual([])
  })
})
