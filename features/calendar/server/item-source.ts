import type { Call } from '../../../server/call.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { PrivilegeName, Permission } from '../../../shared/privileges.ts'
import type { ItemEvent } from '../states.ts'

export interface Times {
  startsAt: Date
  endsAt: Date
}

/**
 * Source of calendar items: a kind of record in another feature. If staff move an item or change its status, the portal
 * changes the record. The record then updates its item (`putItem`).
 */
export interface ItemSource {
  /** Value of `source_kind` in the item. */
  kind: string
  /** Permission that staff need in addition to the permission for the calendar. */
  permission: readonly [PrivilegeName, Permission]
  /** Path of the record's staff screen. */
  path(id: number): string
  /** Moves the record and its item to another time. */
  reschedule(tx: Tx, call: Call, id: number, times: Times): Promise<unknown>
  /**
   * Applies the item's transition to the record.
   * @returns the message for the caller
   */
  step(tx: Tx, call: Call, id: number, event: ItemEvent): Promise<string>
}

const sources = new Map<string, ItemSource>()

/** Registers a source of calendar items. Call once for each kind. */
export function defineItemSource(source: ItemSource): ItemSource {
  sources.set(source.kind, source)
  return source
}

/**
 * Returns the source of an item. Null if the item has no source, or if its feature does not allow changes from the
 * calendar.
 */
export const itemSourceOf = (kind: string | null): ItemSource | null => (kind && sources.get(kind)) || null
