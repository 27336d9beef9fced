import { same } from '../../shared/edits.ts'

interface Sides {
  field: string
  mine?: unknown
  theirs?: unknown
  /** Both lists in one, where these are lists. */
  both?: unknown
}

/** Both values of a field in one: lists joined, words below one another; undefined where it can't hold both. */
export function bothOf({ field, mine, theirs, both }: Sides): unknown {
  if (both !== undefined && both !== null) return both
  if (Array.isArray(mine) && Array.isArray(theirs))
    return [...theirs, ...mine.filter((entry) => !theirs.some((other) => same(entry, other)))]
  if (LONG.test(field) && typeof mine === 'string' && typeof theirs === 'string')
    return [theirs, mine].filter(Boolean).join('\n\n')
  return undefined
}

/** Fields of many lines. */
const LONG = /^(?:notes?|description)$/
