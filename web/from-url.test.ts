import { beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberFromUrl, takeFromUrl } from './from-url.ts'

const kept = new Map<string, string>()
beforeEach(() => {
  kept.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
})

describe('where somebody was going (specification 6.2)', () => {
  it.each([
    ['/pay-bills', '', '/pay-bills'],
    ['/municipality/reports/payments', '?status=1&page=2', '/municipality/reports/payments?status=1&page=2'],
    ['/utility-index', '', '/utility-portal'],
    ['/Utility-Index/', '?a=1', '/utility-portal'],
    ['/', '', '/'],
  ])('coming from %s%s it is %s', (pathname, search, target) => {
    rememberFromUrl({ pathname, search })
    expect(kept.get('fromURL')).toBe(target)
    expect(takeFromUrl()).toBe(target)
    expect(takeFromUrl(), 'once').toBeNull()
  })

  it.each(['/sign-in', '/signin', '/SIGN-IN/', '/admin/sign-in', '/sign-up', '/reset-password'])(
    'a way in (%s) leaves what was remembered',
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
  ])('never leads to %j', (href) => {
    kept.set('fromURL', href)
    expect(takeFromUrl()).toBeNull()
  })
})
