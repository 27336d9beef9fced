import fc from 'fast-check'

/**
 * Seed of all random tests, from the environment variable SEED, which `vitest.config.ts` sets. The seed is fixed in all
 * layers except nightly runs, where it differs each night. The start of a run prints the seed, so that `SEED=… npm
 * test` repeats a failure.
 */
export const seed = Number(process.env['SEED'] ?? 1)

fc.configureGlobal({ seed })
