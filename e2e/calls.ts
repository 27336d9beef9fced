import { randomInt, randomUUID } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { paymentMethods } from '../features/autopay/contract.ts'
import { guestCheckout, payGuestBill } from '../features/checkout/contract.ts'
import { linkAccount } from '../features/utility-portal/contract.ts'
import { findGuestBill } from '../features/utility-accounts/contract.ts'
import { addPaymentMethod } from '../features/payments/stored-methods.ts'
import { quoteOf } from '../features/payments/rules-fees.ts'
import { methods } from '../features/payments/rules.ts'
import type { ResponseOf, RequestInputOf, Endpoint } from '../shared/endpoint.ts'
import { adminSignIn, signIn, signUp } from '../features/identity/contract.ts'
import { type StartedSession } from '../shared/accounts.ts'
import { BILL } from './bills.ts'
import { storedSession } from './stored-session.ts'
import { at, DESKTOP, type Options, PASSWORD, test, unique } from './fixtures.ts'

const BIN = fileURLToPath(new URL('../bin/mainstreet.mjs', import.meta.url))

/** Sends a call to a host, as a browser would. Node can't resolve `*.localhost`, so the Host header names the host. */
export function callOn<E extends Endpoint>(
  host: string,
  endpoint: E,
  body: RequestInputOf<E>,
  token?: string,
): Promise<ResponseOf<E>> {
  const text = JSON.stringify(body)
  const headers = {
    ...{ host: new URL(at(host)).host, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    'x-forwarded-for': newAddress(),
    ...(token && { authorization: `Bearer ${token}` }),
  }
  const target = {
    host: '127.0.0.1',
    port: process.env['E2E_PORT'],
    path: `/api/v2/${endpoint.path}`,
    method: endpoint.method,
    headers,
  }
  return new Promise((resolve, reject) => {
    const sent = request(target, (response) => {
      let responseText = ''
      response.setEncoding('utf8').on('data', (part: string) => (responseText += part))
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(JSON.parse(responseText) as ResponseOf<E>)
          : reject(new Error(`${endpoint.path}: ${response.statusCode} ${responseText}`)),
      )
    })
    sent.on('error', reject).end(text)
  })
}

/**
 * Returns a random IP address, so that each call seems to come from another guest. Rate limits count calls by address.
 * The portal accepts the address, because it trusts the loopback proxy.
 */
const newAddress = () => `10.${randomInt(200, 250)}.${randomInt(256)}.${randomInt(256)}`

/** Uploads a file in the same way as a guest's browser. Returns the id of the file. */
export async function attachOn(host: string, { path }: Endpoint, name: string, content: Uint8Array): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(content)]), name)
  const sent = new Response(form)
  const body = Buffer.from(await sent.arrayBuffer())
  const headers = {
    ...{ host: new URL(at(host)).host, 'content-type': sent.headers.get('content-type') ?? '' },
    ...{ 'content-length': body.length, 'idempotency-key': randomUUID(), 'x-forwarded-for': newAddress() },
  }
  const target = { host: '127.0.0.1', port: process.env['E2E_PORT'], path: `/api/v2/${path}`, method: 'POST', headers }
  return new Promise((resolve, reject) => {
    const httpRequest = request(target, (response) => {
      let responseText = ''
      response.setEncoding('utf8').on('data', (part: string) => (responseText += part))
      response.on('end', () =>
        response.statusCode === 200
          ? resolve((JSON.parse(responseText) as { file_id: string }).file_id)
          : reject(new Error(`${path}: ${response.statusCode} ${responseText}`)),
      )
    })
    httpRequest.on('error', reject).end(body)
  })
}

export interface GuestPayment {
  receipt: string
  email: string
  totalCents: number
}

/**
 * Returns the token that the gateway's hosted fields create for a card. `account` is the company's account at the
 * gateway.
 */
async function cardToken(account: string, number = '4242424242424242'): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${process.env['E2E_GATEWAY_PORT']}/fields/tokens?account=${account}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'card', number, month: 8, year: 2040, cvc: '123' }),
  })
  return ((await response.json()) as { token: string }).token
}

/** Pays a test account's bill in full by card, with the calls of the guest's page and the gateway's hosted fields. */
export async function payAsGuest(
  account: string,
  { host = 'maplegrove', email = `guest-${account}@example.org`, card = '4242424242424242' } = {},
): Promise<GuestPayment> {
  const { token } = await callOn(host, findGuestBill, { accountNumber: account, zip: BILL.zip })
  const { payables, payableCents, fees, gateway } = await callOn(host, guestCheckout, { token })
  const methodToken = await cardToken(gateway.account, card)
  const about = { on: fees.on, kind: payables[0]?.feeKind ?? '', method: methods.card, location: fees.location }
  const { totalCents } = quoteOf(fees.rules, about, payableCents)
  const paid = await callOn(host, payGuestBill, {
    ...{
      token,
      payType: 1,
      method: methods.card,
      billCents: payableCents,
      expectedTotalCents: totalCents,
      email,
      methodToken,
    },
  })
  return { receipt: paid.reference ?? '', email, totalCents }
}

/**
 * Runs a command such as `admin create` while the portal runs.
 * @returns the printed text
 */
export const command = (...args: string[]): string =>
  execFileSync(process.execPath, [BIN, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...(JSON.parse(process.env['E2E_ENV'] ?? '{}') as Record<string, string>) },
  }).trim()

/**
 * Creates a resident that no other test uses, with separate accounts, cart and cards.
 * @returns the email of the resident
 */
export async function newResident(host: string): Promise<string> {
  const email = `ida-${unique().toLowerCase()}@mail.example`
  await callOn(host, signUp, { first_name: 'Ida', last_name: 'Moss', email, password: PASSWORD })
  return email
}

/**
 * Creates a resident that no other test uses, with a linked test account and a saved card.
 * @returns the email of the resident
 */
export async function residentWithCard(host: string, account: string): Promise<string> {
  const email = await newResident(host)
  const { token } = await sessionOf(host, email)
  await callOn(host, linkAccount, { proof: 'amount', accountNumber: account, amount: '149.31' }, token)
  const { gateway } = await callOn(host, paymentMethods, {}, token)
  const methodToken = await cardToken(gateway.account)
  await callOn(host, addPaymentMethod, { method: methods.card, agree: true, methodToken }, token)
  return email
}

const signedIn = new Map<string, Promise<StartedSession>>()

/** Returns the session of a person. Each worker starts the session only once. */
export function sessionOf(host: string, email: string): Promise<StartedSession> {
  const key = `${host} ${email}`
  const startSession = async () => {
    const response = await callOn(host, host === 'admin' ? adminSignIn : signIn, { email, password: PASSWORD })
    if ('second' in response) throw new Error(`${email} is asked for a second factor`)
    return response
  }
  const session = signedIn.get(key) ?? startSession()
  signedIn.set(key, session)
  return session
}

/** Forgets a session that a test ended, so that the next test of this worker starts another one. */
export const forgetSession = (host: string, email: string): void => void signedIn.delete(`${host} ${email}`)

/**
 * Opens a screen as a signed-in person. The session goes directly into the tab storage, because other tests cover
 * sign-in. Each worker signs in each person only once.
 */
export async function openAs(page: Page, host: string, email: string, path: string): Promise<void> {
  // Staff use a desktop even in runs where residents use a phone.
  const isStaff = host === 'admin' || path.startsWith('/municipality')
  if (isStaff && (test.info().project.use as Partial<Options>).late) await page.setViewportSize(DESKTOP)
  await page.addInitScript(
    ([origin, entries]) => {
      // Writes the session only once in each tab, so that a sign-out stays in effect.
      if (location.origin !== origin || sessionStorage.getItem('entered')) return
      sessionStorage.setItem('entered', '1')
      for (const [name, value] of Object.entries(entries)) sessionStorage.setItem(name, value)
    },
    [at(host), storedSession(await sessionOf(host, email))] as const,
  )
  await page.goto(at(host, path))
}
