import { afterAll } from 'vitest'
import { closeAll } from './harness.ts'
import { killAll } from './processes.ts'

/** Modules live as long as their worker, which runs many files; what a file's tests opened ends with them. */
afterAll(closeAll)
afterAll(killAll)
