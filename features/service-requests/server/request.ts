import { findCase } from '../../../server/cases/entries.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { requests } from './case.ts'
import type { Request } from './row.ts'

/** One request of a town. @throws 404 */
export const findRequest = (tx: Tx, company: CompanyId, id: number): Promise<Request> =>
  findCase(tx, requests, company, id)
