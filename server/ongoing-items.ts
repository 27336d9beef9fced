import type { ResponseOf } from '../shared/endpoint.ts'
import type { myMatters } from '../shared/ongoing-items.ts'
import type { Clock } from './clock.ts'
import type { Company } from './hosts.ts'
import type { Tx } from './tenancy.ts'

export type OngoingItem = ResponseOf<typeof myMatters>['matters'][number]

/** Resident and current time. */
export interface ItemOwner {
  company: Company
  person: number
  clock: Clock
}

/** Source of a feature for a resident's open items. */
export interface OngoingItemSource {
  kind: string
  /** Lists items that they started or sent and that have not ended, newest first, at most `MAX_PER_KIND`. */
  open(tx: Tx, owner: ItemOwner): Promise<Omit<OngoingItem, 'kind'>[]>
  /** Creates the path of a new link, for items without a path. @throws 404 if the item belongs to another person */
  link?(tx: Tx, owner: ItemOwner, id: number): Promise<string>
}
