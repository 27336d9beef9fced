import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FrameLocator, Page } from '@playwright/test'
import { createCompany } from '../features/companies/contract.ts'
import { saveSetupChoice } from '../features/town-config/contract-setup.ts'
import { saveConfig } from '../features/town-config/contract.ts'
import type { Fault } from '../test/stripe/stripe-fault.ts'
import { BILL, billsToPay } from './bills.ts'
import { callOn, command, sessionOf } from './calls.ts'
import { unique } from './fixtures.ts'

/**
 * Creates a company for this test that takes payments through Stripe. It has bills for accounts with numbers starting
 * at 900000.
 */
export async function createStripeCompany(accounts: number): Promise<{ host: string; companyId: number }> {
  const { token } = await sessionOf('admin', 'super@mainstreet.example')
  const stamp = unique()
  const host = `stripe-${stamp}`.toLowerCase()
  const { companyId } = await callOn(
    'admin',
    createCompany,
    {
      ...{
        companyName: `Slate Falls ${stamp.slice(0, 5)} ${stamp.slice(5)}`,
        subdomain: host,
        address: '1 Mill Lane',
        city: 'Slate Falls',
      },
      ...{ state: 'PA', zip: BILL.zip, phone: '717-555-0133', companyWebsite: 'www.town.example.org', timeZone: 1 },
      ...{ online: 1, intrigratesWithBilling: 1, isManagedServices: 0 },
    },
    token,
  )
  const values = { processor_id: 2, primary_contact: null, secondary_contact: null }
  await callOn('admin', saveConfig, { companyId, section: 'processors', values }, token)
  await callOn('admin', saveSetupChoice, { companyId, step: 'fees', choice: 'usual' }, token)
  const file = join(tmpdir(), `${host}.csv`)
  writeFileSync(
    file,
    billsToPay()
      .split('\n')
      .slice(0, accounts + 1)
      .join('\n'),
  )
  command('import', 'bills', '--company', host, file)
  return { host, companyId }
}

export const stripeFields = (page: Page): FrameLocator =>
  page.frameLocator('iframe[title="Secure payment input frame"]')

const stripe = (path: string, body: object = {}) =>
  fetch(`${process.env['E2E_STRIPE_URL']}/test/${path}`, { method: 'POST', body: JSON.stringify(body) })

/** Plans a fault for the next request to a route, such as `POST /v1/payment_intents/{intent}/confirm`. */
export const plan = (route: string, fault: Fault) => stripe('faults', { route, fault })

/** Simulates the days in which banks debit accounts, and sends the resulting events to the portal. */
export const passDays = () => stripe('days')
