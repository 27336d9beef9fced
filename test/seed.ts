import fc from 'fast-check'

/**
 * Seed of all random tests, from the environment variable SEED, which `vitest.config.ts` sets. The seed is the same in
 * every run, except in nightly runs, where it differs each night. A run prints its seed at the start, so that `SEED=…
 * npm test` can repeat a failure.
 */
export const seed = Number(process.env['SEED'] ?? 1)

fc.configureGlobal({ seed })
