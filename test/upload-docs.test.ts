import { beforeAll, describe, expect, test } from 'vitest'
import { allCalls } from '../portal/server.ts'
import { audiencesOf } from '../shared/endpoint.ts'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { testPortal } from './harness.ts'
import { addTestPlatformStaff, openTestCompany } from './company.ts'

/** These tests check that a client can upload every file with only the OpenAPI document. */

const HOST = 'maplegrove.localhost'
const ADMIN = 'admin.localhost'
const uploads = allCalls.map(({ endpoint }) => endpoint).filter(({ takes }) => takes !== 'json')

interface Schema {
  type?: string
  enum?: (string | number)[]
  const?: string | number
  pattern?: string
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  oneOf?: Schema[]
  anyOf?: Schema[]
}

const portal = await testPortal()
let document: {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>
}
let tokens: Record<string, { host: string; token: string }>
beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  await addTestPlatformStaff(portal)
  document = (await portal.get(HOST, '/api/docs/json')).body
  const sign = async (host: string, email: string) => ({ host, token: await portal.signIn(host, email) })
  tokens = {
    public: { host: HOST, token: '' },
    citizen: await sign(HOST, 'resident@maplegrove.example'),
    municipality: await sign(HOST, 'admin@maplegrove.example'),
    platform: await sign(ADMIN, 'super@mainstreet.example'),
  }
})

/** Returns a value that a client could create if it has only the schema. */
function valueOf(schema: Schema): string {
  const one = schema.anyOf?.[0] ?? schema
  if (one.const !== undefined) return String(one.const)
  if (one.enum) return String(one.enum[0])
  if (one.pattern?.includes('\\d{4}-')) return '2027-03-31'
  if (one.pattern?.includes('a-f')) return '0'.repeat(32)
  return '1'
}

function* schemasIn(value: unknown): Generator<Schema> {
  if (typeof value !== 'object' || value === null) return
  if ('required' in value && Array.isArray(value.required)) yield value as Schema
  for (const part of Object.values(value)) yield* schemasIn(part)
}

test('describes every required name', () => {
  const missing = [...schemasIn(document)].flatMap(({ required = [], properties = {} }) =>
    required.filter((name) => !(name in properties)),
  )
  expect(missing).toEqual([])
})

test('lists all calls that take a file', () => expect(uploads.length).toBeGreaterThan(50))

describe.each(uploads.map((endpoint) => [endpoint.path, endpoint] as const))('%s', (path, endpoint) => {
  test('describes all fields and accepts a generated client’s request', async () => {
    const schema = document.paths[`/api/v2/${path}`]?.['post']?.requestBody?.content['multipart/form-data']?.schema
    if (!schema?.properties) throw new Error('no schema')
    const names = Object.keys((endpoint.body as unknown as { shape?: object }).shape ?? {})
    for (const name of names) expect(Object.keys(schema.properties)).toContain(name === 'companyId' ? 'company' : name)
    const form = new FormData()
    const { oneOf: [condition] = [], required = [] } = schema
    for (const name of [...required, ...(condition?.required ?? [])])
      if (name !== 'file') form.append(name, valueOf(schema.properties[name] ?? {}))
    const [audience = 'public'] = audiencesOf(endpoint.access)
    const { host, token } = tokens[audience] ?? { host: HOST, token: '' }
    if (host === ADMIN && schema.properties['company']) form.append('company', '1')
    form.append('file', new Blob(['a,b\n1,2\n']), 'a.csv')
    const sent = new Response(form)
    const { statusCode, payload } = await portal.app.inject({
      method: 'POST',
      url: `/api/v2/${path}`,
      payload: Buffer.from(await sent.arrayBuffer()),
      headers: {
        host,
        ...(token && { authorization: `Bearer ${token}` }),
        'content-type': sent.headers.get('content-type') ?? '',
      },
    })
    const { details = {} } = JSON.parse(payload) as { details?: { fields?: object } }
    // The error may be about the file or its subject, but never about a field that the document omits.
    expect([200, 404, 409, 413, 415, 422], payload).toContain(statusCode)
    for (const field of Object.keys(details.fields ?? {}))
      expect([...Object.keys(schema.properties), 'companyId', 'file']).toContain(field.split('.')[0])
  })
})
