import { beforeAll, describe, expect, test } from 'vitest'
import { allCalls } from '../portal/server.ts'
import { audiencesOf } from '../shared/endpoint.ts'
import { type TestPortal, testPortal } from './harness.ts'

const HOST = 'maplegrove.localhost'
const ADMIN = 'admin.localhost'

let portal: TestPortal
let companyId: number
const tokens: Record<string, string> = {}
/** Number of escaped column headers. A header is escaped if it starts like a formula. */
let disarmed = 0

beforeAll(async () => {
  portal = await testPortal({ demo: true, env: { DEMO: '1' } })
  tokens['municipality'] = await portal.signIn(HOST, 'admin@maplegrove.example')
  tokens['platform'] = await portal.signIn(ADMIN, 'super@mainstreet.example')
  // The labels of fields become column headers. Staff may enter any text as a label, even a formula.
  await portal.owner.query(
    `UPDATE field_set_version SET definition = regexp_replace(definition::text, '"label": "', '"label": "=1+', 'g')::jsonb`,
  )
  companyId = (await portal.post(HOST, 'return/company/id', { subdomain: 'maplegrove' })).body.company.id
})

/** Queries that find an id in the demo data, for exports of one record. */
const idOf: Record<string, string> = {
  'muni/export/payout/lines': `SELECT id FROM payout`,
  'muni/zip/form/submissions': `SELECT jsonb_build_object('typeId', type_id) AS of FROM form_submission`,
  'muni/export/general/payments': `SELECT jsonb_build_object('typeId', type_id) AS filters FROM general_charge`,
  'muni/export/form/submissions': `SELECT jsonb_build_object('typeId', type_id) AS filters FROM form_submission`,
  'muni/export/record': `SELECT 'form' AS kind, id FROM form_type`,
  'muni/export/billing/lines': `SELECT id AS "fileId" FROM billing_file`,
}
const period = { fromDate: '2026-11-01', toDate: '2026-11-20' }
const more: Record<string, object> = {
  'muni/export/form/1099k': { year: 2026 },
  'muni/export/rental/use': { filters: period },
  'admin/export/fee/report': { filters: period },
  'admin/export/profit/report': { filters: period },
  'admin/export/analytics': { measure: 'payments', filters: {} },
  'admin/export/companys/information': { queryParams: {} },
}

/** Export calls that staff can make. Each exports many rows or files. */
const exported = allCalls
  .map(({ endpoint }) => endpoint)
  .filter(({ responseType, path }) => responseType === 'download' && /(?:^|\/)(?:export|zip)\//.test(path))
  .filter(({ access }) => audiencesOf(access).some((one) => one === 'municipality' || one === 'platform'))

describe('each export', () => {
  test.each(exported)('writes an audit entry and no formula header for $path', async ({ path, access }) => {
    const isForCompany = audiencesOf(access).includes('municipality')
    const [host, token = ''] = isForCompany ? [HOST, tokens['municipality']] : [ADMIN, tokens['platform']]
    await portal.owner.query('DELETE FROM failed_guess')
    const { rows } = idOf[path]
      ? await portal.owner.query(`${idOf[path]} WHERE company_id = ${companyId} LIMIT 1`)
      : { rows: [{}] }
    const logged = async () => {
      const { rows: n } = await portal.owner.query(
        'SELECT (SELECT count(*) FROM audit_event)::int + (SELECT count(*) FROM platform_audit_event)::int AS n',
      )
      return n[0].n as number
    }
    const body = { ...(isForCompany ? {} : { companyId }), ...period, ...rows[0], ...more[path] }
    const { body: ticket, status } = await portal.post(host, path, body, { token })
    expect([status, ticket.message]).toEqual([200, undefined])
    const before = await logged()
    const file = await portal.get(host, ticket.url)
    expect(file.status).toBe(200)
    expect(await logged()).toBeGreaterThan(before)
    if (!String(file.headers['content-type']).startsWith('text/csv')) return
    const head = String(file.body).replace('\uFEFF', '').split('\n')[0] ?? ''
    expect(head.split(',').filter((cell) => /^"?[=+\-@\t\r＝＋－＠]/.test(cell))).toEqual([])
    disarmed += head.split("'=1+").length - 1
  })

  test('is one of many, some with headers by staff', () => {
    expect(exported.length).toBeGreaterThan(55)
    expect(disarmed).toBeGreaterThanOrEqual(5)
  })
})
