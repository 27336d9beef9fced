import type { ResponseOf } from '../shared/endpoint.ts'
import type { myOngoingItems } from '../shared/ongoing-items.ts'
import type { Clock } from './clock.ts'
import type { Company } from './hosts.ts'
import type { Tx } from './tenancy.ts'

export type OngoingItem = ResponseOf<typeof myOngoingItems>['ongoingItems'][number]

/** Resident with the listed ongoing items, and the clock. */
export interface ItemOwner {
  company: Company
  person: number
  clock: Clock
}

/** Source of a resident's ongoing items from one feature. */
export interface OngoingItemSource {
  kind: string
  /** Lists unfinished items that the resident started or sent, newest first, at most `MAX_PER_KIND`. */
  open(tx: Tx, owner: ItemOwner): Promise<Omit<OngoingItem, 'kind'>[]>
  /**
   * Creates a new link to an item and returns its path. Only for items without a permanent path.
   * @throws 404 if the item belongs to another person
   */
  link?(tx: Tx, owner: ItemOwner, id: number): Promise<string>
}
