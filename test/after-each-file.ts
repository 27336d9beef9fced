import { afterAll, vi } from 'vitest'
import { closeAll } from './harness.ts'
import { killAll } from './processes.ts'
import './seed.ts'

/**
 * Runs after each test file. A worker shares modules between many files, so each file must close its resources and
 * restore the globals that it replaced.
 */
afterAll(closeAll)
afterAll(killAll)
afterAll(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.useRealTimers()
})
