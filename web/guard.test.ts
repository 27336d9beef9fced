import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type BootData, emptyBoot } from '../shared/boot.ts'
import type * as Guards from './guard.ts'

const company = { isOnline: 1 } as BootData['company']

/** Loads the guard for a type of host and a role (0: not signed in). */
async function guardFor(role: number, boot: Partial<BootData> = { company }, impersonating = false) {
  vi.resetModules()
  vi.doMock('./page.ts', () => ({ page: () => ({ ...emptyBoot, ...boot }) }))
  vi.doMock('./session.ts', () => ({ currentSession: () => (role ? { un: role, impersonating } : null) }))
  await import('../shared/all-screens.ts')
  return ((await import('./guard.ts')) as typeof Guards).guard
}

beforeEach(() => vi.doUnmock('./page.ts'))

describe('the route guard (specification 6.2)', () => {
  it('redirects signed-out people to the sign-in page of their part', async () => {
    const guard = await guardFor(0)
    expect(guard('/pay-bills')).toBe('/sign-in')
    expect(guard('/municipality')).toBe('/sign-in')
    expect(guard('/Municipality/Reports/Payments')).toBe('/sign-in')
    expect(guard('/admin')).toBe('/admin/sign-in')
    for (const path of [
      '/',
      '/home',
      '/sign-in',
      '/guest/payment/abc',
      '/municipality/initialize-impersonation',
      '/sso/verify-ccs-token',
      '/nowhere',
    ])
      expect(guard(path), path).toBeNull()
  })

  it('shows the utility index to signed-out people', async () => {
    expect((await guardFor(0))('/utility-portal')).toBe('/utility-index')
    expect((await guardFor(1))('/utility-portal')).toBeNull()
  })

  it('admits staff to the back office, not residents', async () => {
    for (const role of [3, 4, 5]) expect((await guardFor(role))('/municipality')).toBeNull()
    expect((await guardFor(1))('/municipality')).toBe('/home')
    expect((await guardFor(999, { company }, true))('/municipality')).toBeNull()
  })

  it('admits UN above 900 to the admin area, not 900 itself', async () => {
    const admin = { site: 'admin' } as const
    expect((await guardFor(901, admin))('/admin')).toBeNull()
    expect((await guardFor(900, admin))('/admin')).toBe('/admin/sign-in')
    expect((await guardFor(900, admin))('/admin/sign-in')).toBeNull()
    expect((await guardFor(999, { company }, true))('/admin')).toBe('/admin/sign-in')
    expect((await guardFor(906, admin))('/')).toBe('/admin')
    expect((await guardFor(0, admin))('/')).toBe('/admin/sign-in')
  })

  it('redirects every path of an offline or unknown company to /offline', async () => {
    for (const boot of [{ company: null }, { company: { isOnline: 0 } as BootData['company'] }]) {
      const guard = await guardFor(0, boot)
      expect(guard('/home')).toBe('/offline')
      expect(guard('/offline')).toBeNull()
    }
  })

  it('keeps support open for an offline company, not an unknown one', async () => {
    const offline = await guardFor(0, { company: { isOnline: 0 } as BootData['company'] })
    for (const path of ['/support', `/support/${'a'.repeat(43)}`]) expect(offline(path)).toBeNull()
    expect(offline('/supporters')).toBe('/offline')
    expect((await guardFor(0, { company: null }))('/support')).toBe('/offline')
  })

  const closed = { company: { isOnline: 0 } as BootData['company'] }

  it('keeps sign-in open for an offline company, not an unknown one', async () => {
    const offline = await guardFor(0, closed)
    for (const path of [
      ...['/sign-in', '/signin', '/reset-password', '/sso-verification', '/sso-auth-complete'],
      ...['/citizen/initialize-impersonation', '/municipality/initialize-impersonation'],
    ]) {
      expect(offline(path), path).toBeNull()
      expect((await guardFor(0, { company: null }))(path), path).toBe('/offline')
    }
    for (const path of ['/sign-up', '/guest-utility-payment', '/municipality']) expect(offline(path)).toBe('/offline')
  })

  it('admits staff and impersonators to an offline company, not residents', async () => {
    for (const role of [3, 5]) expect((await guardFor(role, closed))('/municipality')).toBeNull()
    expect((await guardFor(5, closed))('/home')).toBeNull()
    expect((await guardFor(999, closed, true))('/municipality')).toBeNull()
    expect((await guardFor(1, closed))('/home')).toBe('/offline')
    expect((await guardFor(1, closed))('/municipality')).toBe('/offline')
  })

  // Path, role (0: not signed in), and expected redirect (null if the person may enter). Source: specification 2.1 to
  // 2.5, 6.1, 6.2.
  const visits: [path: string, role: number, instead: string | null][] = [
    ['/forms-documents', 0, '/sign-in'],
    ['/communication', 0, '/sign-in'],
    ['/profile/settings', 0, '/sign-in'],
    ['/PROFILE/Settings/', 0, '/sign-in'],
    ['/profile/activity-log', 0, '/sign-in'],
    ['/token-test', 0, '/sign-in'],
    ['/sign-up', 0, null],
    ['/signin', 0, null],
    ['/reset-password', 0, null],
    ['/relocate', 0, null],
    ['/reloaction', 0, null],
    ['/frequently-asked-questions', 0, null],
    ['/utility-index', 0, null],
    ['/utility-portal', 0, '/utility-index'],
    ['/Utility-Portal/', 0, '/utility-index'],
    ['/sso/verify-ccs-token', 0, null],
    ['/SSO/anything', 0, null],
    ['/sso-verification', 0, null],
    ['/municipality/schedule', 0, '/sign-in'],
    ['/municipality/initialize-impersonation', 0, null],
    ['/admin', 0, '/admin/sign-in'],
    ['/admin/outbox', 0, '/admin/sign-in'],
    ['/admin/sign-in', 0, null],
    ['/administration', 0, null],
    ['/profile/settings', 1, null],
    ['/utility-portal', 1, null],
    ['/municipality/schedule', 1, '/home'],
    ['/municipality/initialize-impersonation', 1, null],
    ['/admin', 1, '/admin/sign-in'],
    ['/municipality/schedule', 3, null],
    ['/profile/settings', 5, null],
    ['/admin', 5, '/admin/sign-in'],
    ['/sign-in', 1, null],
  ]
  it.each(visits)('redirects %s on a company’s host for UN %i to %s', async (path, role, instead) => {
    expect((await guardFor(role))(path)).toBe(instead)
  })

  const administrators: typeof visits = [
    ['/', 0, '/admin/sign-in'],
    ['/home', 0, '/admin/sign-in'],
    ['/profile/settings', 0, '/admin/sign-in'],
    ['/municipality', 0, '/admin/sign-in'],
    ['/', 900, '/admin/sign-in'],
    ['/', 901, '/admin'],
    ['/home', 909, '/admin'],
    ['/reset-password', 909, '/admin'],
    ['/admin', 900, '/admin/sign-in'],
    ['/admin/outbox', 906, null],
    ['/admin/sign-in', 909, null],
    ['/sso/verify-ccs-token', 0, null],
    ['/404', 0, null],
  ]
  it.each(administrators)("redirects %s on the administrator's host for UN %i to %s", async (path, role, instead) => {
    expect((await guardFor(role, { site: 'admin' }))(path)).toBe(instead)
  })
})
