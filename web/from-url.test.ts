import { beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberFromUrl, takeFromUrl } from './from-url.ts'

const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})

describe('the page to open after sign-in (specification 6.2)', () => {
  it.each([
    ['/pay-bills', '', '/pay-bills'],
    ['/municipality/reports/payments', '?status=1&page=2', '/municipality/reports/payments?status=1&page=2'],
    ['/utility-index', '', '/utility-portal'],
    ['/Utility-Index/', '?a=1', '/utility-portal'],
    ['/', '', '/'],
  ])('returns from %s%s to %s', (pathname, search, target) => {
    rememberFromUrl({ pathname, search })
    expect(stored.get('fromURL')).toBe(target)
    expect(takeFromUrl()).toBe(target)
    expect(takeFromUrl(), 'once').toBeNull()
  })

  it.each(['/sign-in', '/signin', '/SIGN-IN/', '/admin/sign-in', '/sign-up', '/reset-password'])(
    'keeps the stored page on a sign-in page (%s)',
    (pathname) => {
      rememberFromUrl({ pathname: '/pay-bills', search: '?x=1' })
      rememberFromUrl({ pathname, search: '?token=secret' })
      expect(takeFromUrl()).toBe('/pay-bills?x=1')
    },
  )

  it.each([
    '//elsewhere.example/',
    String.raw`/\elsewhere.example`,
    'https://elsewhere.example/',
    'javascript:alert(1)',
    '',
  ])('never opens %j', (href) => {
    stored.set('fromURL', href)
    expect(takeFromUrl()).toBeNull()
  })
})
