import { afterAll, vi } from 'vitest'
import { closeAll } from './harness.ts'
import { killAll } from './processes.ts'
import './seed.ts'

/**
 * Runs after each test file. Many test files run in the same worker and share its modules. So each file must close its
 * resources and restore the globals that it replaced.
 */
afterAll(closeAll)
afterAll(killAll)
afterAll(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.useRealTimers()
})
