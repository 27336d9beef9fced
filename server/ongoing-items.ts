import type { ResponseOf } from '../shared/endpoint.ts'
import type { myMatters } from '../shared/ongoing-items.ts'
import type { Clock } from './clock.ts'
import type { Company } from './hosts.ts'
import type { Tx } from './tenancy.ts'

export type OngoingItem = ResponseOf<typeof myMatters>['matters'][number]

/** A resident, and now. */
export interface ItemOwner {
  company: Company
  person: number
  clock: Clock
}

/** What a feature brings to the list of what a resident has under way. */
export interface OngoingItemSource {
  kind: string
  /** What they began or sent and that has not ended, the newest first, at most `MOST_OF_KIND`. */
  open(tx: Tx, whose: ItemOwner): Promise<Omit<OngoingItem, 'kind'>[]>
  /** The path of a new link, for those without a path. @throws 404 where it is not theirs */
  link?(tx: Tx, whose: ItemOwner, id: number): Promise<string>
}
