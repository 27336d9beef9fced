import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import * as z from 'zod/mini'
import { beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { allCalls } from '../portal/server.ts'
import type { Handler } from '../server/call.ts'
import { CALL_PREFIX } from '../shared/call-prefix.ts'
import { mountCalls } from '../server/mount.ts'
import { testPortal } from './harness.ts'
import { openTestCompany } from './company.ts'

/** The responses that the portal stores for repeated calls contain no secret in clear text. */

const HOST = 'maplegrove.localhost'
const portal = await testPortal()
const idempotentCalls = allCalls.filter(({ endpoint }) => endpoint.idempotent && endpoint.responseType === 'json')
/** Secret URL that each stub returns to every caller. */
const SECRET = 'https://maplegrove.example/feed/very-secret-address'
const stubs = idempotentCalls.map(({ endpoint }) => ({
  endpoint: {
    ...endpoint,
    ...{
      access: { audience: 'public' },
      scope: 'company',
      takes: 'json',
      files: undefined,
      whileImpersonating: 'allowed',
    },
    ...{ body: z.any(), response: z.object({ url: z.string() }), viewAccess: undefined },
  },
  handle: async () => ({ url: SECRET }),
})) as unknown as Handler[]
const app = Fastify()

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  mountCalls(app, portal.context, stubs)
  await app.ready()
})

test('are sealed for every idempotent call and returned again', async () => {
  expect(idempotentCalls.length).toBeGreaterThan(200)
  for (const { endpoint } of idempotentCalls) {
    const key = randomUUID()
    const send = () =>
      app.inject({
        method: endpoint.method,
        url: CALL_PREFIX + endpoint.path,
        headers: { host: HOST, 'idempotency-key': key, 'content-type': 'application/json' },
        ...(endpoint.method === 'POST' && { payload: {} }),
      })
    for (const response of [await send(), await send()])
      expect([endpoint.path, response.json()]).toEqual([endpoint.path, { url: SECRET }])
  }
  const { rows } = await portal.owner.query<{ call: string; row: string }>(
    'SELECT call, k::text AS row FROM idempotency_key k WHERE stored_response IS NOT NULL',
  )
  expect(new Set(rows.map(({ call }) => call)).size).toBe(
    new Set(idempotentCalls.map(({ endpoint }) => endpoint.path)).size,
  )
  for (const { row } of rows) expect(row).not.toContain('very-secret')
})

test('are refused by the database if unsealed', async () => {
  const write = portal.owner.query(
    `UPDATE idempotency_key SET stored_response = '{"url": "https://maplegrove.example/feed/very-secret-address"}'`,
  )
  await expect(write).rejects.toThrow('stored_response_is_sealed')
})
