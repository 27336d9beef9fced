import { expect, it } from 'vitest'
import { testPortal } from '../test/harness.ts'

const portal = await testPortal({ demo: true })
const { hosts } = portal.context
const company = await hosts.bySubdomain('maplegrove')

it.each([
  ['subdomain', () => hosts.bySubdomain('maplegrove')],
  ['id', () => hosts.byId(company?.id ?? 0)],
])('does not cache a company by %s that changes while it loads', async (_, find) => {
  hosts.forget()
  const loading = find()
  hosts.forget()
  const { id = 0, fiscalMonth = 0 } = (await loading) ?? {}
  const next = (fiscalMonth % 12) + 1
  await portal.owner.query('UPDATE company SET fiscal_month = $1 WHERE id = $2', [next, id])
  await expect(find()).resolves.toMatchObject({ fiscalMonth: next })
})
