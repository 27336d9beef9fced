/**
 * Test layers. `npm test` runs all tests of some kinds and a fixed sample of the others. `npm run test:all` runs all
 * tests. `npm run test:nightly` also runs more random cases. Each layer runs the same tests every day.
 */
const { WHOLE, NIGHTLY, MUTANT } = process.env

/** True in all layers above `npm test`, and in runs that must find a planted fault (`npm run test:mutants`). */
export const isWhole = Boolean(WHOLE ?? NIGHTLY ?? MUTANT)

/** Returns every `share`-th item in `npm test`, and all items in higher layers. Empty only if `items` is empty. */
export const sampleOf = <Item>(items: readonly Item[], share = 4): readonly Item[] =>
  isWhole ? items : items.filter((_, index) => index % share === 0)

/**
 * Returns the directions to test for the sort column with this index. `npm test` tests one direction, which alternates
 * with the index. Larger layers test both.
 */
export const directionsOf = (index: number): readonly ('asc' | 'desc')[] =>
  isWhole ? ['asc', 'desc'] : [index % 2 === 0 ? 'asc' : 'desc']
