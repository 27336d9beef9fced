import { expect, test } from 'vitest'
import { isRelocation, pathOf, tileHref } from './service-url.ts'

test.each([
  ['/utility-portal', '/utility-portal'],
  ['utility-portal', '/utility-portal'],
  ['/forms-documents?form=12&kind=permit', '/forms-documents?resource=form%3D12%26kind%3Dpermit'],
  ['/pay-bills?', '/pay-bills'],
  ['//evil.example/x', '/evil.example/x'],
])('links the tile of %s to %s', (url, href) => {
  expect(tileHref(url)).toBe(href)
})

test('removes the link only from the relocation tile', () => {
  expect(['/relocate', 'relocate/', '/relocate?x=1', '/relocate/move-in', '/pay-bills'].map(isRelocation)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
  expect(pathOf(' pay-bills#x')).toBe('/pay-bills')
})
