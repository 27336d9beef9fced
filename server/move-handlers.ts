import type { LocationValue } from '../shared/places.ts'
import type { AppContext } from './app-context.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/** Data of a person's move, as other features receive it. */
export interface MoveEvent {
  person: number
  left: { addressId: number | null; text: string }
  /** New location. Null if the person left the company's area. */
  to: LocationValue | null
  /** Source of the move: `Move M-100123`. */
  by: string
}

/**
 * Function that applies a move to a feature's data, in the transaction that records the move. Returns a message about
 * the change, or null if nothing changed.
 */
type MoveHandler = (tx: Tx, context: AppContext, company: CompanyId, moved: MoveEvent) => Promise<string | null>

const followers: MoveHandler[] = []

/** Registers a function that applies each move to a feature's data. Call it once for each feature. */
export function registerMoveHandler(follower: MoveHandler): void {
  followers.push(follower)
}

/**
 * Applies a move to the data of all features.
 * @returns messages for the person who moved, one for each change
 */
export async function applyMove(tx: Tx, context: AppContext, company: CompanyId, moved: MoveEvent): Promise<string[]> {
  const messages: string[] = []
  // Runs the functions in sequence, because a transaction runs one query at a time.
  for (const follow of followers) {
    const message = await follow(tx, context, company, moved)
    if (message !== null) messages.push(message)
  }
  return messages
}
