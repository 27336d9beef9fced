import '../../../shared/all-screens.ts'
import { expect, it } from 'vitest'
import { entryPath } from './admin/admin-sign-in.ts'
import { nextPath } from './next-path.ts'

// Columns: role, requested path, resulting path.
it.each([
  [1, null, '/home'],
  [1, '/utility-portal', '/utility-portal'],
  [1, '/profile/settings?part=email', '/profile/settings?part=email'],
  [1, '/municipality/schedule', '/home'],
  [1, '/admin', '/home'],
  [1, '/nowhere', '/home'],
  [3, null, '/municipality'],
  [3, '/municipality/reports/payments?status=1', '/municipality/reports/payments?status=1'],
  [5, '/utility-portal', '/municipality'],
  [5, '/admin', '/municipality'],
] as const)('forwards municipality role %i that requested %s to %s', (role, from, target) => {
  expect(nextPath(role, from)).toBe(target)
})

it.each([
  [909, null, '/admin'],
  [906, '/admin/outbox', '/admin/outbox'],
  [906, '/municipality', '/admin'],
  [909, '/admin/nowhere', '/admin'],
  [900, '/admin', null],
  [5, '/admin', null],
] as const)('forwards platform role %i that requested %s to %s', (un, from, target) => {
  expect(entryPath(un, from)).toBe(target)
})
