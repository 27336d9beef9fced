import { beforeAll, expect, it } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'
import { type Provider, providerNamed, ProviderSilent } from '../payments/api.ts'
import { provideInstead } from '../payments/server/providers/providers.ts'

const HOST = 'maplegrove.localhost'
const portal = await testPortal({ gateway: true })
beforeAll(() => openTestCompany(portal, mapleGrove))

const pay = async (email: string) => portal.post(HOST, 'test/payment', {}, { token: await portal.signIn(HOST, email) })
const TABLES = ['payment_order', 'payment_attempt', 'ledger_transfer', 'remittance', 'payment_alert'] as const

it('charges and refunds the test payment without a ledger entry', async () => {
  const { status, body } = await pay('manager@maplegrove.example')
  expect(status).toBe(200)
  expect(body.success).toBe(true)
  expect(body.steps.map(({ what, passed }: { what: string; passed: boolean }) => `${what} ${passed}`)).toEqual(
    ['account', 'card', 'create', 'confirm', 'refund', 'check'].map((what) => `${what} true`),
  )
  for (const table of TABLES)
    expect(Number((await portal.owner.query(`SELECT count(*) AS n FROM ${table}`)).rows[0].n), table).toBe(0)
  const { rows } = await portal.owner.query("SELECT detail FROM audit_event WHERE action = 'payment.tested'")
  expect(rows).toMatchObject([{ detail: { amountCents: 500, passed: true } }])
})

it('requires the privilege to process payments', async () => {
  expect((await pay('staff@maplegrove.example')).status).toBe(403)
  expect((await pay('resident@maplegrove.example')).status).toBe(403)
})

it('names the step that failed', async () => {
  const real = providerNamed(portal.config, 'sandbox')
  const stuck: Provider = {
    ...real,
    confirmIntent: async () => {
      throw new ProviderSilent('down')
    },
  }
  provideInstead(portal.config, stuck)
  const { body } = await pay('manager@maplegrove.example')
  provideInstead(portal.config, real)
  expect(body.success).toBe(false)
  expect(body.steps.at(-1)).toMatchObject({ what: 'confirm', passed: false, result: 'The provider did not respond.' })
})

it('refuses a test charge if payments are real', async () => {
  const real = providerNamed(portal.config, 'sandbox')
  provideInstead(portal.config, { ...real, test: false })
  expect(await pay('manager@maplegrove.example')).toMatchObject({ status: 409, body: { code: 'not_a_sandbox' } })
  provideInstead(portal.config, real)
})
