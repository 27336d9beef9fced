import { describe, expect, it } from 'vitest'
import { matchPath, patternOf } from './match.ts'

const patterns = [
  '/',
  '/home',
  '/guest/payment/{token}',
  '/admin/{companyId}/company/information',
  '/admin/customer/company/information',
].map((path) => patternOf(path, path))

describe('matching a path', () => {
  it('ignores case and a trailing slash, but preserves parameters’ case', () => {
    expect(matchPath(patterns, '/HOME/')?.value).toBe('/home')
    expect(matchPath(patterns, '/Guest/Payment/aBc_9')).toEqual({
      value: '/guest/payment/{token}',
      params: { token: 'aBc_9' },
    })
  })
  it('prefers a fixed path to one with parameters', () => {
    expect(matchPath(patterns, '/admin/customer/company/information')?.value).toBe(
      '/admin/customer/company/information',
    )
    expect(matchPath(patterns, '/admin/7/company/information')?.params).toEqual({ companyId: '7' })
  })
  it('decodes parameters and refuses malformed encoding', () => {
    expect(matchPath(patterns, '/guest/payment/a%20b')?.params).toEqual({ token: 'a b' })
    expect(matchPath(patterns, '/guest/payment/%E0%A4%A')).toBeNull()
  })
  it('accepts only numbers for parameters that are ids', () => {
    for (const id of ['abc', '0', '-1', '1.5', '1e3', '1'.repeat(16)])
      expect(matchPath(patterns, `/admin/${id}/company/information`), id).toBeNull()
  })
  it('matches only the whole path', () => {
    expect(matchPath(patterns, '/guest/payment/')).toBeNull()
    expect(matchPath(patterns, '/guest/payment/a/b')).toBeNull()
    expect(matchPath(patterns, '/homes')).toBeNull()
  })
})
