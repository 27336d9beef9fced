import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'

export const dueAtOf = async (_tx: Tx, _company: Company, from: Date, days: number): Promise<Date> =>
  new Date(from.getTime() + days * 86_400_000)
