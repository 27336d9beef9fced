import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { Blackout } from '../rules.ts'

/** Finds days on which a feature closes a resource to residents, for example while it allocates a season. */
type ClosureSource = (tx: Tx, company: CompanyId, resource: number) => Promise<Blackout[]>

const sources: ClosureSource[] = []

/** Registers a source of closures. During a closure, only staff can reserve. */
export const defineClosures = (source: ClosureSource): void => void sources.push(source)

export async function closuresOf(tx: Tx, company: CompanyId, resource: number): Promise<Blackout[]> {
  const closures: Blackout[] = []
  for (const source of sources) closures.push(...(await source(tx, company, resource)))
  return closures
}
