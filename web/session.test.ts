import { beforeEach, describe, expect, it, vi } from 'vitest'
import type * as Calls from './call.ts'
import type * as Sessions from './session.ts'

/** Simulates the parts of a browser tab that the session needs. */
function tab(pathname: string) {
  const stored = new Map<string, string>()
  const left = { href: '' }
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('location', { pathname, search: '?page=2', assign: (href: string) => (left.href = href) })
  return { saveState: stored, left }
}

const response = {
  token: 'secret',
  user: { id: 7, company_id: 3, first_name: 'Ann', last_name: 'Lee', email: 'ann@example.org', role_id: 3 },
  privileges: { dashboard: 9 },
  expire_time: '2026-11-22T00:00:00.000Z',
}
const endpoint = { path: 'some/call', method: 'POST' } as never

const load = async () => {
  vi.resetModules()
  await import('../shared/all-screens.ts')
  return { ...((await import('./session.ts')) as typeof Sessions), ...((await import('./call.ts')) as typeof Calls) }
}

const fakeFetch = (status: number, body: unknown) =>
  vi.fn<(url: string, init: RequestInit) => Promise<Response>>(() => Promise.resolve(Response.json(body, { status })))

beforeEach(() => vi.unstubAllGlobals())

describe('a session', () => {
  it('keeps the keys of specification 3 and clears those of 4.10', async () => {
    const { saveState: stored } = tab('/home')
    const { rememberSignIn, currentSession, may, forgetSession } = await load()
    rememberSignIn(response)
    expect(Object.fromEntries(stored)).toMatchObject({
      tkn: 'secret',
      auth: '1',
      userId: '7',
      companyId: '3',
      UN: '3',
      profilename: 'Ann Lee',
    })
    expect(currentSession()).toMatchObject({ un: 3, impersonating: false })
    expect([may('dashboard', 'view'), may('dashboard', 'update'), may('payment', 'view')]).toEqual([true, true, false])
    forgetSession()
    expect([...stored.keys()]).toEqual([])
    expect(currentSession()).toBeNull()
  })
})

describe('a call', () => {
  it('sends the headers of specification 7', async () => {
    const { saveState: stored } = tab('/home')
    const { rememberSignIn, call } = await load()
    rememberSignIn(response)
    stored.set('overSeeingEye', 'true')
    const fetch = fakeFetch(200, { ok: 1 })
    vi.stubGlobal('fetch', fetch)
    expect(await call(endpoint, {} as never)).toEqual({ ok: 1 })
    expect(fetch.mock.calls[0]?.[0]).toBe('/api/v2/some/call')
    expect(fetch.mock.calls[0]?.[1].headers).toMatchObject({
      authorization: 'Bearer secret',
      userId: '7',
      companyId: '3',
    })
  })

  it.each([
    ['/municipality/reports/payments', '/sign-in'],
    ['/admin', '/admin/sign-in'],
    ['/sign-in', ''],
    ['/SignIn', ''],
    ['/admin/sign-in', ''],
  ])('on 401 at %s clears the session, opens "%s" and throws', async (here, target) => {
    const { saveState: stored, left } = tab(here)
    const { rememberSignIn, call, wasExpired } = await load()
    rememberSignIn(response)
    vi.stubGlobal('fetch', fakeFetch(401, { success: false, message: 'Please sign in again.', code: 'not_signed_in' }))
    await expect(call(endpoint, {} as never)).rejects.toMatchObject({ status: 401, code: 'not_signed_in' })
    expect(stored.has('tkn')).toBe(false)
    expect(wasExpired()).toBe(true)
    expect(left.href).toBe(target)
  })

  it('reports an unreachable server and returns the errors of fields', async () => {
    tab('/home')
    const { call } = await load()
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(call(endpoint, {} as never)).rejects.toMatchObject({ status: 0, code: 'unreached', unreached: true })
    vi.stubGlobal(
      'fetch',
      fakeFetch(422, { message: 'No.', code: 'rejected', details: { fields: { zip: 'Five digits.' } } }),
    )
    await expect(call(endpoint, {} as never)).rejects.toMatchObject({ status: 422, fields: { zip: 'Five digits.' } })
  })
})
