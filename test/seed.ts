import fc from 'fast-check'

/**
 * Seed of all random tests: SEED, which `vitest.config.ts` sets. It is fixed in the day layers and differs each night.
 * The start of a run prints it, so that `SEED=… npm test` repeats a failure.
 */
export const seed = Number(process.env['SEED'] ?? 1)

fc.configureGlobal({ seed })
