import { beforeAll, describe, expect, it, test } from 'vitest'
import { masksOf, presetKeys, rolePresets } from '../features/staff/role-presets.ts'
import { features } from '../portal/server.ts'
import { staffPrivileges } from '../shared/areas.ts'
import { findRecords, MAX_PER_KIND } from '../shared/lookups.ts'
import { modules } from '../shared/modules.ts'
import { may, type Privileges } from '../shared/privileges.ts'
import { screenAt } from '../shared/screens.ts'
import '../shared/all-screens.ts'
import { testPortal } from './harness.ts'

/** The search for records of the command bar, over all features. */

const HOST = 'maplegrove.localhost'
const portal = await testPortal({ demo: true })
const lookups = features.flatMap(({ lookups: own = [], module }) => own.map((lookup) => ({ ...lookup, module })))

interface KindResult {
  label: string
  records: { title: string; detail: string; path: string; isExact: boolean }[]
}

const tokens: Record<string, string> = {}
const find = async (search: string, token = tokens['admin'], host = HOST) => {
  const { status, body } = await portal.post(host, findRecords.path, { search }, { token: token ?? '' })
  expect(status, body.message).toBe(200)
  return body.kinds as KindResult[]
}
const labels = (kinds: readonly KindResult[]) => kinds.map(({ label }) => label)

/** For each kind: SQL for the number (or the name, if the kind has no numbers) and id of a record of a company. */
const SAMPLES: Record<string, string> = {
  Requests: `SELECT number AS text, id FROM service_request WHERE company_id = $1 AND NOT is_spam`,
  'Work orders': `SELECT number AS text, id FROM work_order WHERE company_id = $1`,
  Submissions: `SELECT number AS text, id FROM form_submission WHERE company_id = $1 AND submitted_at IS NOT NULL AND status <> 10`,
  'Licenses and permits': `SELECT number AS text, submission_id AS id FROM issued_document WHERE company_id = $1`,
  Registrations: `SELECT number AS text, id FROM registration WHERE company_id = $1`,
  Moves: `SELECT number AS text, id FROM move_request WHERE company_id = $1`,
  Payments: `SELECT 'P' || id AS text, id FROM payment_order WHERE company_id = $1`,
  'Parking tickets': `SELECT citation_number AS text, id FROM parking_ticket WHERE company_id = $1`,
  Reservations: `SELECT number AS text, id FROM rental_reservation WHERE company_id = $1`,
  'Utility accounts': `SELECT account_number AS text, id FROM utility_account WHERE company_id = $1`,
  'Utility bills': `SELECT bill_number AS text, account_id AS id FROM utility_bill WHERE company_id = $1`,
  Hydrants: `SELECT number AS text, id FROM hydrant WHERE company_id = $1`,
  Inspections: `SELECT number AS text, id FROM inspection WHERE company_id = $1`,
  Staff: `SELECT first_name || ' ' || last_name AS text, id FROM person WHERE company_id = $1 AND role_id >= 3`,
  FAQs: `SELECT question AS text, id FROM faq WHERE company_id = $1`,
}

interface Sample {
  text: string
  id: number
}

const samples = new Map<string, Sample>()
const ofOther = new Map<string, Sample>()
const sampleOf = (kind: string, from = samples): Sample => {
  const sample = from.get(kind)
  if (!sample) throw new Error(`the demo has no record for ${kind}`)
  return sample
}
const companies: Record<string, number> = {}

beforeAll(async () => {
  const { rows } = await portal.owner.query(`SELECT id, subdomain FROM company`)
  for (const { id, subdomain } of rows) companies[subdomain] = id
  // The demo of this company has no issued document.
  await portal.owner.query(
    `INSERT INTO issued_document (company_id, submission_id, number, code, title, holder, issued_on, expires_on)
     SELECT company_id, id, 'L-2026-009001', 'CODE9001', 'Dog license', 'Beryl Ashdown', '2026-01-02', '2027-01-01'
     FROM form_submission WHERE company_id = $1 AND submitted_at IS NOT NULL ORDER BY id DESC LIMIT 1`,
    [companies['maplegrove']],
  )
  for (const [kind, text] of Object.entries(SAMPLES))
    for (const [subdomain, into] of [
      ['maplegrove', samples],
      ['harborcity', ofOther],
    ] as const) {
      const { rows: records } = await portal.owner.query(`${text} ORDER BY id DESC LIMIT 1`, [companies[subdomain]])
      if (records[0]) into.set(kind, { text: records[0].text, id: Number(records[0].id) })
    }
  tokens['admin'] = await portal.signIn(HOST, 'admin@maplegrove.example')
  tokens['staff'] = await portal.signIn(HOST, 'staff@maplegrove.example')
})

test('has a sample of each kind', () => {
  expect(lookups.map(({ kind }) => kind).toSorted()).toEqual(Object.keys(SAMPLES).toSorted())
  expect([...samples.keys()].toSorted()).toEqual(Object.keys(SAMPLES).toSorted())
})

describe.each(lookups)('$kind', ({ kind, area, number }) => {
  it('comes first if the search is the exact number', async () => {
    const { text, id } = sampleOf(kind)
    const hasNumbers = number('1') !== null || number('R-100001') !== null || number('2026-1') !== null
    for (const typed of new Set([text, text.toLowerCase()])) {
      const kinds = await find(typed)
      const own = kinds.find(({ label }) => label === kind)
      expect(own?.records[0]).toMatchObject({ isExact: hasNumbers })
      expect(own?.records[0]?.path).toMatch(new RegExp(`=${id}$`))
      if (hasNumbers)
        expect(
          kinds
            .slice(
              0,
              kinds.findIndex(({ label }) => label === kind),
            )
            .every(isExact),
        ).toBe(true)
      expect(own?.records.length).toBeLessThanOrEqual(MAX_PER_KIND)
    }
  })

  it('opens a screen that needs the same permission', async () => {
    const { text } = sampleOf(kind)
    const path = (await find(text)).find(({ label }) => label === kind)?.records[0]?.path ?? ''
    const screen = screenAt(path.replace(/\?.*/, ''))
    expect([screen?.built, screen?.needs]).toEqual([true, [area, 'view']])
  })

  it('never finds a record of another company', async () => {
    const { text, id } = sampleOf(kind, ofOther.has(kind) ? ofOther : samples)
    const own = (await find(text)).find(({ label }) => label === kind)?.records ?? []
    const { rows } = await portal.owner.query(`SELECT text, id FROM (${SAMPLES[kind]}) AS sample`, [
      companies['maplegrove'],
    ])
    const ids = new Set(rows.map((row) => String(row.id)))
    expect(own.filter(({ path }) => !ids.has(/=(\d+)$/.exec(path)?.[1] ?? ''))).toEqual([])
    expect(id).toBeGreaterThan(0)
  })
})

const isExact = ({ records }: KindResult) => records[0]?.isExact === true

describe('permissions', () => {
  const set = (roleId: number, privileges: Privileges) =>
    portal.owner.query(`UPDATE person SET role_id = $1, privileges = $2 WHERE email = 'staff@maplegrove.example'`, [
      roleId,
      JSON.stringify(privileges),
    ])
  const expected = (privileges: Privileges) =>
    lookups.filter(({ area }) => may(privileges, area, 'view')).map(({ kind }) => kind)
  const visibleKinds = async () => {
    const seen: string[] = []
    for (const { kind } of lookups)
      if (labels(await find(sampleOf(kind).text, tokens['staff'])).includes(kind)) seen.push(kind)
    return seen
  }

  it.each(presetKeys)('finds only records that the role %s may view', async (key) => {
    const { roleId, levels } = rolePresets[key]
    const masks = masksOf(levels)
    await set(roleId, masks)
    expect(await visibleKinds()).toEqual(expected(staffPrivileges(roleId, masks)))
  })

  it.each([3, 4, 5])('finds only records that the earlier role %i may view', async (roleId) => {
    await set(roleId, {})
    expect(await visibleKinds()).toEqual(expected(staffPrivileges(roleId, {})))
  })

  it('finds nothing without permissions', async () => {
    const none = Object.fromEntries(Object.keys(staffPrivileges(5, {})).map((name) => [name, 0]))
    await set(3, none)
    expect(await visibleKinds()).toEqual([])
    await set(3, {})
  })

  it('refuses residents, guests and the platform', async () => {
    const resident = await portal.signIn(HOST, 'resident@maplegrove.example')
    const platform = await portal.signIn('admin.localhost', 'super@mainstreet.example')
    expect((await portal.post(HOST, findRecords.path, { search: 'anna' }, { token: resident })).status).toBe(403)
    expect((await portal.post(HOST, findRecords.path, { search: 'anna' })).status).toBe(401)
    const body = { search: 'anna', companyId: companies['maplegrove'] }
    expect((await portal.post('admin.localhost', findRecords.path, body, { token: platform })).status).toBe(403)
  })
})

test.each(lookups.flatMap(({ kind, module }) => (module ? [{ kind, module }] : [])))(
  'finds no $kind while the module is off',
  async ({ kind, module }) => {
    const turnOff = async (urls: string[]) => {
      await portal.owner.query(`UPDATE company SET modules_off = $1 WHERE subdomain = 'maplegrove'`, [urls])
      portal.context.hosts.forget()
    }
    const { text } = sampleOf(kind)
    expect(labels(await find(text))).toContain(kind)
    await turnOff([modules[module].url])
    expect(labels(await find(text))).not.toContain(kind)
    await turnOff([])
  },
)

test('finds names before addresses and other texts', async () => {
  const { rows } = await portal.owner.query(
    `SELECT id FROM service_request WHERE company_id = $1 ORDER BY id DESC LIMIT 3`,
    [companies['maplegrove']],
  )
  const change = (index: number, column: string) =>
    portal.owner.query(`UPDATE service_request SET ${column} = 'Quillfeather 12' WHERE company_id = $1 AND id = $2`, [
      companies['maplegrove'],
      rows[index].id,
    ])
  await change(0, 'description')
  await change(1, 'location')
  await change(2, 'name')
  const own = (await find('quillfeather')).find(({ label }) => label === 'Requests')
  expect(own?.records.map(({ path }) => Number(/\d+$/.exec(path)?.[0]))).toEqual(
    [2, 1, 0].map((index) => Number(rows[index].id)),
  )
})

test('finds an old record by its text, which is not among the newest', async () => {
  const { rows } = await portal.owner.query(
    `UPDATE payment_order SET payer_name = 'Zebulon Quist', search_text = 'zebulon quist'
     WHERE company_id = $1 AND id = (SELECT min(id) FROM payment_order WHERE company_id = $1) RETURNING id`,
    [companies['maplegrove']],
  )
  for (const search of ['zebulon', 'QUIST zeb', 'Zébulon'])
    expect((await find(search))[0]?.records[0]?.path).toMatch(new RegExp(`payment=${rows[0].id}$`))
})

test('finds a payment by each form of its receipt number', async () => {
  const { id } = sampleOf('Payments')
  for (const search of [`P${id}`, `p${id}`, String(id), `P${id}-1`])
    expect((await find(search)).find(({ label }) => label === 'Payments')?.records[0]).toMatchObject({ isExact: true })
})

test.each([
  ['one letter', 'a'],
  ['only spaces', '    '],
  ['a long text', 'a'.repeat(101)],
])('refuses %s', async (_, search) => {
  expect((await portal.post(HOST, findRecords.path, { search }, { token: tokens['admin'] ?? '' })).status).toBe(400)
})

test.each(['%%', '__', String.raw`\\`, "'; --", '"x" & |', '🦆🦆'])('takes %s literally', async (search) => {
  expect((await find(search)).flatMap(({ records }) => records).length).toBeLessThanOrEqual(MAX_PER_KIND)
})

test('audits a search with its text', async () => {
  await find('abernathy')
  const { rows } = await portal.owner.query(
    `SELECT detail FROM audit_event WHERE action = 'view.personal_data' AND subject = $1 AND detail->'query'->>'search' = 'abernathy'`,
    [findRecords.path],
  )
  expect(rows).toHaveLength(1)
})
