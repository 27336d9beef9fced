import { expect, it } from 'vitest'
import { actionGroups, auditActions } from '../../shared/audit-actions.ts'

const groupsOf = (action: string) =>
  Object.values(actionGroups).filter(({ begins }) => begins.some((prefix) => action.startsWith(prefix)))

it('finds every action in exactly one filter group of the audit log', () => {
  expect(Object.keys(auditActions).filter((action) => groupsOf(action).length !== 1)).toEqual([])
})
