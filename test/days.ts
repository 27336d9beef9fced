/**
 * What a run of the day takes turns with: of many questions that are alike it asks a part, and on the next day another. Days are
 * counted on and on, so that no end of a month leaves one out.
 */
export const today = Math.floor(Date.now() / 86_400_000)

/** So many days it takes until all of them were asked, where nothing else is said. */
const DAYS = 4

/**
 * Those of many whose turn is today, at least one; on the next `turn`, which is the next day, others. All of them in the night, and
 * where a fault is planted that somebody has to find.
 */
export function ofToday<One>(many: readonly One[], days = DAYS, turn = today): readonly One[] {
  if (process.env['NIGHTLY'] || process.env['MUTANT']) return many
  const some = many.filter((_, nth) => (nth + turn) % days === 0)
  return some.length > 0 ? some : many.slice(turn % Math.max(1, many.length)).slice(0, 1)
}

/** A sort has its turn after so many days in `lists.test.ts`, after three times as many in `lists-plans.test.ts`: then the other way. */
const DAYS_OF_SORTS = 8

/** The ways that the nth sort of a list goes: by day one, since that is the same few lines for all, and the next time the other. */
export const directionsOf = (nth: number): readonly ('asc' | 'desc')[] =>
  process.env['NIGHTLY'] ? ['asc', 'desc'] : [(nth + Math.floor(today / DAYS_OF_SORTS)) % 2 === 0 ? 'asc' : 'desc']
