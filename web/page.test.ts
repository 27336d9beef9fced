import { expect, test } from 'vitest'
import { emptyBoot } from '../shared/boot.ts'
import { leaveNoPage, page, pageOf, withPage } from './page.ts'

test('has a page on the server only during its rendering', () => {
  leaveNoPage()
  expect(() => page()).toThrow('outside')
  expect(withPage(pageOf(emptyBoot), () => page().siteName)).toBe('Mainstreet')
  expect(() => page()).toThrow('outside')
})
