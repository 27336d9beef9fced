import type { PlaceValue } from '../shared/places.ts'
import type { AppContext } from './app-context.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/** A person who moved, as every feature may hear of it. */
export interface MoveEvent {
  person: number
  left: { addressId: number | null; text: string }
  /** null: they left the town. */
  to: PlaceValue | null
  /** What made them move: `Move M-100123`. */
  by: string
}

/** Does what a move brings with it, in its transaction, and says what it was; null where there was nothing to do. */
type Follower = (tx: Tx, context: AppContext, company: CompanyId, moved: MoveEvent) => Promise<string | null>

const followers: Follower[] = []

/** Declares, once, that something of a feature goes along with people who move. */
export function whenMoved(follower: Follower): void {
  followers.push(follower)
}

/** @returns what went along, in sentences for whoever moved */
export async function tellOfMove(tx: Tx, context: AppContext, company: CompanyId, moved: MoveEvent): Promise<string[]> {
  const told: string[] = []
  // One after the other: a transaction does one thing at a time.
  for (const follow of followers) {
    const says = await follow(tx, context, company, moved)
    if (says !== null) told.push(says)
  }
  return told
}
