import { randomUUID } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { paymentMethods } from '../features/autopay/contract.ts'
import { guestCheckout, payGuestBill } from '../features/payments/contract.ts'
import { linkAccount } from '../features/utility-portal/contract.ts'
import { findGuestBill } from '../features/utility-accounts/contract.ts'
import { addPaymentMethod } from '../features/payments/stored-methods.ts'
import { quoteOf } from '../features/payments/rules-fees.ts'
import { methods } from '../features/payments/rules.ts'
import type { ResponseOf, RequestInputOf, Endpoint } from '../shared/endpoint.ts'
import { adminSignIn, signIn, signUp } from '../features/identity/contract.ts'
import { type SessionBegun } from '../shared/accounts.ts'
import { BILL } from './bills.ts'
import { at, DESK, type Options, PASSWORD, test, unique } from './fixtures.ts'

const BIN = fileURLToPath(new URL('../bin/mainstreet.mjs', import.meta.url))

/** Makes a call as a browser on that host would. Node resolves no `*.localhost`, so the host is told by its header. */
export function callOn<E extends Endpoint>(
  host: string,
  endpoint: E,
  body: RequestInputOf<E>,
  token?: string,
): Promise<ResponseOf<E>> {
  const text = JSON.stringify(body)
  const headers = {
    ...{ host: new URL(at(host)).host, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
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
    const sent = request(target, (answer) => {
      let said = ''
      answer.setEncoding('utf8').on('data', (part: string) => (said += part))
      answer.on('end', () =>
        answer.statusCode === 200
          ? resolve(JSON.parse(said) as ResponseOf<E>)
          : reject(new Error(`${endpoint.path}: ${answer.statusCode} ${said}`)),
      )
    })
    sent.on('error', reject).end(text)
  })
}

/** Sends a file as a guest's browser does, and returns its id. */
export async function attachOn(host: string, { path }: Endpoint, name: string, content: Uint8Array): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(content)]), name)
  const sent = new Response(form)
  const body = Buffer.from(await sent.arrayBuffer())
  const headers = {
    ...{ host: new URL(at(host)).host, 'content-type': sent.headers.get('content-type') ?? '' },
    ...{ 'content-length': body.length, 'idempotency-key': randomUUID() },
  }
  const target = { host: '127.0.0.1', port: process.env['E2E_PORT'], path: `/api/v2/${path}`, method: 'POST', headers }
  return new Promise((resolve, reject) => {
    const asked = request(target, (answer) => {
      let said = ''
      answer.setEncoding('utf8').on('data', (part: string) => (said += part))
      answer.on('end', () =>
        answer.statusCode === 200
          ? resolve((JSON.parse(said) as { file_id: string }).file_id)
          : reject(new Error(`${path}: ${answer.statusCode} ${said}`)),
      )
    })
    asked.on('error', reject).end(body)
  })
}

export interface GuestPayment {
  receipt: string
  email: string
  totalCents: number
}

/** What the gateway's hosted fields make of a card. `account`: the town's, at the gateway. */
async function cardToken(account: string, number = '4242424242424242'): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${process.env['E2E_GATEWAY_PORT']}/fields/tokens?account=${account}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'card', number, month: 8, year: 2040, cvc: '123' }),
  })
  return ((await answer.json()) as { token: string }).token
}

/** Pays a test account's bill in full by card, as the guest's page and the gateway's hosted fields do. */
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

/** Runs a command of the portal, such as `admin create`, beside the one that runs. @returns what it printed */
export const command = (...words: string[]): string =>
  execFileSync(process.execPath, [BIN, ...words], {
    encoding: 'utf8',
    env: { ...process.env, ...(JSON.parse(process.env['E2E_ENV'] ?? '{}') as Record<string, string>) },
  }).trim()

/** A resident whom no other journey knows: their accounts, cart and cards are nobody else's. @returns their email */
export async function newResident(host: string): Promise<string> {
  const email = `ida-${unique().toLowerCase()}@mail.example`
  await callOn(host, signUp, { first_name: 'Ida', last_name: 'Moss', email, password: PASSWORD })
  return email
}

/** A resident whom no other journey knows, who has linked a test account and has a card kept. @returns their email */
export async function residentWithCard(host: string, account: string): Promise<string> {
  const email = await newResident(host)
  const { token } = await sessionOf(host, email)
  await callOn(host, linkAccount, { proof: 'amount', accountNumber: account, amount: '149.31' }, token)
  const { gateway } = await callOn(host, paymentMethods, {}, token)
  const methodToken = await cardToken(gateway.account)
  await callOn(host, addPaymentMethod, { method: methods.card, agree: true, methodToken }, token)
  return email
}

const signedIn = new Map<string, Promise<SessionBegun>>()

/** The session of somebody, begun once a worker. */
export function sessionOf(host: string, email: string): Promise<SessionBegun> {
  const key = `${host} ${email}`
  const begun = async () => {
    const answer = await callOn(host, host === 'admin' ? adminSignIn : signIn, { email, password: PASSWORD })
    if ('second' in answer) throw new Error(`${email} is asked for a second factor`)
    return answer
  }
  const known = signedIn.get(key) ?? begun()
  signedIn.set(key, known)
  return known
}

/**
 * Opens a screen as somebody who signed in before, with what the sign-in page keeps in the tab. Once a person and
 * worker: how signing in goes has its own tests.
 */
export async function openAs(page: Page, host: string, email: string, path: string): Promise<void> {
  // Where the residents of a whole run have a phone, staff still sit at a desk.
  const isStaff = host === 'admin' || path.startsWith('/municipality')
  if (isStaff && (test.info().project.use as Partial<Options>).late) await page.setViewportSize(DESK)
  const { token, user, privileges, expire_time } = await sessionOf(host, email)
  const kept = {
    ...{
      tkn: token,
      auth: '1',
      userId: String(user.id),
      privileges: JSON.stringify(privileges),
      tokenExpireTime: expire_time,
    },
    ...(user.company_id !== null && { companyId: String(user.company_id) }),
    ...{ profilename: `${user.first_name} ${user.last_name}`, email: user.email, UN: String(user.role_id) },
  }
  await page.addInitScript(
    ([origin, entries]) => {
      // Once a tab, so that who signs out stays out.
      if (location.origin !== origin || sessionStorage.getItem('entered')) return
      sessionStorage.setItem('entered', '1')
      for (const [name, value] of Object.entries(entries)) sessionStorage.setItem(name, value)
    },
    [at(host), kept] as const,
  )
  await page.goto(at(host, path))
}
