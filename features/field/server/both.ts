import type { Collision } from '../../../shared/edits.ts'

/** Both values of each field in one: lists joined, words below one another; null where a field can't hold both. */
export function bothOf(collisions: readonly Collision[]): Map<string, unknown> | null {
  const both = new Map<string, unknown>()
  for (const { field, mine, theirs, both: joined } of collisions) {
    if (joined !== undefined && joined !== null) both.set(field, joined)
    else if (LONG.test(field) && typeof mine === 'string' && typeof theirs === 'string')
      both.set(field, [theirs, mine].filter(Boolean).join('\n\n'))
    else return null
  }
  return both.size > 0 ? both : null
}

/** Fields of many lines. */
const LONG = /^(?:notes?|description)$/
