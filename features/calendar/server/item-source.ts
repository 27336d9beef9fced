import type { Call } from '../../../server/call.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { PolicyName, Right } from '../../../shared/privileges.ts'
import type { ItemEvent } from '../states.ts'

/** From when until when something is. */
export interface Times {
  startsAt: Date
  endsAt: Date
}

/**
 * What an item stands in the calendar for, where that is a thing of its own in a feature above this one. Whoever moves the item
 * or takes a step of it does so with the thing, which puts its item where it belongs (`putItem`).
 */
export interface ItemSource {
  /** As `source_kind` of the item. */
  kind: string
  /** Staff need it, besides what the calendar wants. */
  right: readonly [PolicyName, Right]
  /** Where staff find the thing. */
  path(id: number): string
  /** Puts the thing at another time, its item as well. */
  reschedule(tx: Tx, call: Call, id: number, times: Times): Promise<unknown>
  /** Takes the step of the thing that its item shows. @returns what is said of it */
  step(tx: Tx, call: Call, id: number, event: ItemEvent): Promise<string>
}

const sources = new Map<string, ItemSource>()

/** Declares, once, what items stand for. */
export function defineItemSource(source: ItemSource): ItemSource {
  sources.set(source.kind, source)
  return source
}

/** What an item stands for; null of one that is there for itself, or of a feature that lets nobody move it from here. */
export const itemSourceOf = (kind: string | null): ItemSource | null => (kind && sources.get(kind)) || null
