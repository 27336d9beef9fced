import type { Call } from './call.ts'

/** Work of a choice in Get Started outside of a transaction, such as a test payment. @returns a message */
type SetupRun = (call: Call) => Promise<string>

const runs = new Map<string, SetupRun>()

/** Declares the work of the choices of a step. These choices are not stored. */
export const defineSetupRun = (step: string, run: SetupRun): void => void runs.set(step, run)
export const setupRunOf = (step: string): SetupRun | undefined => runs.get(step)
