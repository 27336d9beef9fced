/**
 * The layers of tests. `npm test` runs a fixed sample of similar tests, `npm run test:all` runs all, and `npm run
 * test:nightly` also widens the random runs. Each layer runs the same tests every day.
 */
const { WHOLE, NIGHTLY, MUTANT } = process.env

/** True for all layers above `npm test`, and if a planted fault must be found. */
export const isWhole = Boolean(WHOLE ?? NIGHTLY ?? MUTANT)

/** Returns every `share`-th item in `npm test`, all items in the layers above. Empty only if `items` is. */
export const sampleOf = <Item>(items: readonly Item[], share = 4): readonly Item[] =>
  isWhole ? items : items.filter((_, index) => index % share === 0)

/**
 * Returns the tested directions of the sort with this index: one in `npm test`, alternating, and both in the layers
 * above.
 */
export const directionsOf = (index: number): readonly ('asc' | 'desc')[] =>
  isWhole ? ['asc', 'desc'] : [index % 2 === 0 ? 'asc' : 'desc']
