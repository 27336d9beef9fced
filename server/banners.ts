import type { BootNotice } from '../shared/boot.ts'
import type { CompanyId, Tx } from './tenancy.ts'

type Source = (tx: Tx, company: CompanyId) => Promise<BootNotice | null>

const sources: Source[] = []

/** Declares a source of notices that appear above every resident page of a company, in addition to alerts. */
export const defineBanner = (source: Source): void => void sources.push(source)

/** Collects the notices that the resident pages of a company show now. */
export async function bannersOf(tx: Tx, company: CompanyId): Promise<BootNotice[]> {
  const all = await Promise.all(sources.map((source) => source(tx, company)))
  return all.filter((one) => one !== null)
}
