import type { DemoPart } from '../../server/demo.ts'
import { tenancyOn } from '../../server/tenancy.ts'

const DAY_MS = 86_400_000

/** Demo keys without a usable secret. The database stores only hashes, and these hashes belong to no real key. */
const KEYS = [
  { name: 'Billing system', use: 'billing', ending: 'q7Xw', days: 300, used: 0.2, revoked: null },
  { name: 'Billing system, before the move', use: 'billing', ending: 'm2Pk', days: 420, used: 301, revoked: 300 },
  { name: 'Bank file program', use: 'billing', ending: 'Zr0a', days: 45, used: 3, revoked: null },
  { name: 'County 311 app', use: 'open311', ending: 'h4Td', days: 120, used: 1, revoked: null },
] as const

export const demo: DemoPart = {
  company: async ({ db, clock }, _demoCompany, { company, households }) => {
    if (households.length === 0) return
    const ago = (days: number) => new Date(clock.now().getTime() - days * DAY_MS)
    const rows = KEYS.map(({ name, use, ending, days, used, revoked }) => ({
      company_id: company,
      name,
      use,
      ending,
      key_hash: Buffer.from(`demo ${name}`),
      made_at: ago(days),
      made_by: 'Carol Whitaker',
      used_at: ago(used),
      revoked_at: revoked === null ? null : ago(revoked),
      revoked_by: revoked === null ? '' : 'Carol Whitaker',
    }))
    await tenancyOn(db.app)(company, (tx) => tx.insertInto('api_key').values(rows).execute())
  },
}
