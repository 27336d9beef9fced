import { AsyncLocalStorage } from 'node:async_hooks'
import type { AppContext } from '../../server/app-context.ts'
import type { Provider } from '../../features/payments/server/providers/provider.ts'
import { crash, type CallFate, fateful } from '../provider-model.ts'

/** Planned outcomes of the current step, one for each of its effects. A crash is one of the possible outcomes. */
interface FateOptions {
  left: CallFate[]
  onCrash: () => void
  onStandStill: () => void
  /** Resolves when paused work may continue. */
  thaw: Promise<void>
}

const lots = new AsyncLocalStorage<FateOptions>()
const next = (): CallFate => lots.getStore()?.left.shift() ?? 'fine'
const crashed = (): void => lots.getStore()?.onCrash()
const standStill = async (): Promise<void> => {
  lots.getStore()?.onStandStill()
  await lots.getStore()?.thaw
}

/** Runs setup work without planned outcomes, so that no planned crash affects it. */
export const unharmed = <T>(work: () => Promise<T>): Promise<T> => lots.exit(work)

/** Wraps the provider, so that the planned outcomes of the current step apply to its calls. */
export const fatefully = (provider: Provider) => fateful(provider, next, crashed, standStill)

/**
 * Applies the planned outcomes to the portal's transactions. In a crash, the transaction is rolled back before its
 * commit, or the work stops after its commit.
 */
export function befallTransactions(context: AppContext): void {
  const original = context.inCompany
  class Killed extends Error {}
  context.inCompany = async (company, work) => {
    const fate = next()
    if (fate === 'late') await standStill()
    try {
      const response = await original(company, async (tx) => {
        const done = await work(tx)
        if (fate === 'crash before') throw new Killed()
        return done
      })
      if (fate !== 'crash after') return response
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    }
    crashed()
    return crash()
  }
}

/**
 * Starts a step. `ended` resolves when the step ends or crashes. `paused` resolves when the step pauses, ends or
 * crashes.
 */
export function befall(fates: readonly CallFate[], thaw: Promise<void>, work: () => Promise<unknown>) {
  const [death, pause] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const lot = { left: [...fates], onCrash: death.resolve, onStandStill: pause.resolve, thaw }
  return lots.run(lot, () => {
    const ended: Promise<unknown> = Promise.race([work(), death.promise])
    return { ended, paused: Promise.race([ended, pause.promise]) }
  })
}
