import { same } from '../../shared/edits.ts'

interface Sides {
  field: string
  mine?: unknown
  theirs?: unknown
  /** Combined list, if both values are lists. */
  both?: unknown
}

/**
 * Combines both values of a field: joined lists, or texts one below the other. Undefined if the field can't hold both.
 */
export function bothOf({ field, mine, theirs, both }: Sides): unknown {
  if (both !== undefined && both !== null) return both
  if (Array.isArray(mine) && Array.isArray(theirs))
    return [...theirs, ...mine.filter((entry) => !theirs.some((other) => same(entry, other)))]
  if (LONG.test(field) && typeof mine === 'string' && typeof theirs === 'string')
    return [theirs, mine].filter(Boolean).join('\n\n')
  return undefined
}

/** Fields of several lines. */
const LONG = /^(?:notes?|description)$/
