import { afterAll, expect, test } from 'vitest'
import { BANKFILE_KEY, BANKFILE_SECRET, entriesOf, openBankfile } from '../../test/bank.ts'
import { testDatabase } from '../../test/harness.ts'
import { bankfileProvider } from '../payments/server/providers/bankfile.ts'
import { ProviderRefused } from '../payments/server/providers/provider.ts'

/** Tests the bank-file provider's page, where a company enters its bank details and confirms a test file. */

const RETURN_URL = 'http://maplegrove.localhost:3000/municipality/processor/onboarding?from=return'
const REFRESH_URL = 'http://maplegrove.localhost:3000/municipality/processor/onboarding?from=refresh'
const bank = await openBankfile(await testDatabase(), 'http://127.0.0.1:9/webhooks/bankfile')
const provider = bankfileProvider({
  ...{ url: bank.url, publicOrigin: bank.url, apiKey: BANKFILE_KEY, webhookSecret: BANKFILE_SECRET, live: false },
})
const { onboarding } = provider
afterAll(() => bank.close())

const post = (url: string, typed: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(typed), redirect: 'manual' })
const details = {
  ...{ step: 'details', company_name: 'MAPLE GROVE', company_id: '1234567890', odfi_name: 'FIRST BANK' },
  ...{ odfi_routing: '123456780', immediate_origin: '1234567890', settlement_account: '000987654321' },
}

test('readies a company after bank details, a test file and its confirmation', async () => {
  const account = await provider.ensureAccount('maple', 'Maple Grove', true)
  if (!onboarding) throw new Error('it asks towns who they are')
  expect(await onboarding.loadStatus(account)).toMatchObject({
    ...{ state: 'in_progress', takesPayments: true, missing: ['originator', 'test_file'] },
  })
  const url = await onboarding.link(account, RETURN_URL, REFRESH_URL)
  expect(await (await fetch(url)).text()).toContain('The municipality at its bank')
  expect((await fetch(`${url}?file=test`)).status).toBe(409)
  expect((await post(url, { step: 'read' })).status).toBe(422)
  const invalidResponse = await post(url, { ...details, odfi_routing: '123456789' })
  expect(invalidResponse.status).toBe(422)
  expect(await invalidResponse.text()).toContain('routing number: nine digits')
  expect((await post(url, details)).status).toBe(303)
  expect(await onboarding.loadStatus(account)).toMatchObject({ state: 'missing', missing: ['test_file'] })
  const page = await (await fetch(url)).text()
  expect(page).toContain('•••• 4321')
  expect(page).not.toContain('000987654321')
  const entries = entriesOf(await (await fetch(`${url}?file=test`)).text())
  expect(entries).toMatchObject([{ cents: 0, secCode: 'PPD' }])
  const done = await post(url, { step: 'read' })
  expect([done.status, done.headers.get('location')]).toEqual([303, RETURN_URL])
  expect(await onboarding.loadStatus(account)).toMatchObject({ state: 'ready', missing: [] })
  // The link works once. After that, it redirects to the URL that requests a new link.
  const again = await fetch(url, { redirect: 'manual' })
  expect([again.status, again.headers.get('location')]).toEqual([303, REFRESH_URL])
  await expect(onboarding.link(account, 'https://elsewhere.example/', REFRESH_URL)).rejects.toThrow(ProviderRefused)
})

test('tests the account with a debit cancelled before any file is created', async () => {
  const account = await provider.ensureAccount('harbor', 'Harbor City')
  const source = await provider.trial?.createSource(account)
  if (!source) throw new Error('it can be tried')
  const intentRequest = { amountCents: 500, feeCents: 0, method: 'echeck' as const, description: 'Test', companyId: 1 }
  const { id } = await provider.createIntent(account, intentRequest, 'trial')
  expect(await provider.confirmIntent(account, id, source, RETURN_URL, 'trial-confirm')).toMatchObject({
    status: 'processing',
  })
  expect(await provider.cancelIntent(account, id, 'trial-cancel')).toMatchObject({ status: 'canceled' })
})
