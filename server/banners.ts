import type { BootNotice } from '../shared/boot.ts'
import type { CompanyId, Tx } from './tenancy.ts'

type Source = (tx: Tx, company: CompanyId) => Promise<BootNotice | null>

const sources: Source[] = []

/** Declares what may have to be said above each page of a town's residents, beside the alerts. */
export const defineBanner = (source: Source): void => void sources.push(source)

/** What is to be said there now. */
export async function bannersOf(tx: Tx, company: CompanyId): Promise<BootNotice[]> {
  const all = await Promise.all(sources.map((source) => source(tx, company)))
  return all.filter((one) => one !== null)
}
