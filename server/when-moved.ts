import type { PlaceValue } from '../shared/places.ts'
import type { House } from './house.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/** A person who moved, as every feature may hear of it. */
export interface Moved {
  person: number
  left: { addressId: number | null; text: string }
  /** null: they left the town. */
  to: PlaceValue | null
  /** What made them move: `Move M-100123`. */
  by: string
}

/** Does what a move brings with it, in its transaction, and says what it was; null where there was nothing to do. */
type Follower = (tx: Tx, house: House, company: CompanyId, moved: Moved) => Promise<string | null>

const followers: Follower[] = []

/** Declares, once, that something of a feature goes along with people who move. */
export function whenMoved(follower: Follower): void {
  followers.push(follower)
}

/** @returns what went along, in sentences for whoever moved */
export async function tellOfMove(tx: Tx, house: House, company: CompanyId, moved: Moved): Promise<string[]> {
  const told: string[] = []
  // One after the other: a transaction does one thing at a time.
  for (const follow of followers) {
    const says = await follow(tx, house, company, moved)
    if (says !== null) told.push(says)
  }
  return told
}
