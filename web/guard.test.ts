import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Boot, emptyBoot } from '../shared/boot.ts'
import type * as Guards from './guard.ts'

const company = { isOnline: 1 } as Boot['company']

/** The guard on a kind of host, for a role (0: not signed in). */
async function guardFor(role: number, boot: Partial<Boot> = { company }, impersonating = false) {
  vi.resetModules()
  vi.doMock('./boot.ts', () => ({ boot: { ...emptyBoot, ...boot } }))
  vi.doMock('./session.ts', () => ({ currentSession: () => (role ? { un: role, impersonating } : null) }))
  return ((await import('./guard.ts')) as typeof Guards).guard
}

beforeEach(() => vi.doUnmock('./boot.ts'))

describe('the route guard (specification 6.2)', () => {
  it('sends those who are not signed in to the sign-in page of their part', async () => {
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

  it('shows the utility index to those who are not signed in', async () => {
    expect((await guardFor(0))('/utility-portal')).toBe('/utility-index')
    expect((await guardFor(1))('/utility-portal')).toBeNull()
  })

  it('lets staff into the back office, and residents not', async () => {
    for (const role of [3, 4, 5]) expect((await guardFor(role))('/municipality')).toBeNull()
    expect((await guardFor(1))('/municipality')).toBe('/home')
    expect((await guardFor(999, { company }, true))('/municipality')).toBeNull()
  })

  it('lets UN above 900 into the admin area, and 900 itself not', async () => {
    const admin = { site: 'admin' } as const
    expect((await guardFor(901, admin))('/admin')).toBeNull()
    expect((await guardFor(900, admin))('/admin')).toBe('/admin/sign-in')
    expect((await guardFor(900, admin))('/admin/sign-in')).toBeNull()
    expect((await guardFor(999, { company }, true))('/admin')).toBe('/admin/sign-in')
    expect((await guardFor(906, admin))('/')).toBe('/admin')
    expect((await guardFor(0, admin))('/')).toBe('/admin/sign-in')
  })

  it('sends every path of an offline or unknown town to /offline', async () => {
    for (const boot of [{ company: null }, { company: { isOnline: 0 } as Boot['company'] }]) {
      const guard = await guardFor(0, boot)
      expect(guard('/home')).toBe('/offline')
      expect(guard('/offline')).toBeNull()
    }
  })
})
