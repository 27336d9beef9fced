import { same } from '../../shared/edits.ts'

interface Sides {
  field: string
  own?: unknown
  others?: unknown
  /** Combined list, if both values are lists. */
  both?: unknown
}

/**
 * Combines both values of a field: lists are joined, and texts are placed one below the other. Undefined if the field
 * can't hold both.
 */
export function bothOf({ field, own, others, both }: Sides): unknown {
  if (both !== undefined && both !== null) return both
  if (Array.isArray(own) && Array.isArray(others))
    return [...others, ...own.filter((entry) => !others.some((other) => same(entry, other)))]
  if (LONG.test(field) && typeof own === 'string' && typeof others === 'string')
    return [others, own].filter(Boolean).join('\n\n')
  return undefined
}

/** Names of fields with several lines of text. */
const LONG = /^(?:notes?|description)$/
