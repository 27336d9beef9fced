import { afterAll, vi } from 'vitest'
import { closeAll } from './harness.ts'
import { killAll } from './processes.ts'
import './seed.ts'

/** Modules live as long as their worker, which runs many files; what a file's tests opened ends with them, and so does what they put in place of globals. */
afterAll(closeAll)
afterAll(killAll)
afterAll(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.useRealTimers()
})
