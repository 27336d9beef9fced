import { AsyncLocalStorage } from 'node:async_hooks'
import type { AppContext } from '../../server/app-context.ts'
import type { Provider } from '../../features/payments/server/provider.ts'
import { crash, type CallFate, fateful } from '../provider-model.ts'

/** The fates of the step that runs, wherever in its calls we are. */
interface FateOptions {
  left: CallFate[]
  onCrash: () => void
  onStandStill: () => void
  /** What stood still goes on. */
  thaw: Promise<void>
}

const lots = new AsyncLocalStorage<FateOptions>()
const next = (): CallFate => lots.getStore()?.left.shift() ?? 'fine'
const crashed = (): void => lots.getStore()?.onCrash()
const standStill = async (): Promise<void> => {
  lots.getStore()?.onStandStill()
  await lots.getStore()?.thaw
}

/** What is done so that something else can be tried: nothing befalls it. */
export const unharmed = <T>(work: () => Promise<T>): Promise<T> => lots.exit(work)

/** Its calls meet the fates of the step that makes them. */
export const fatefully = (provider: Provider) => fateful(provider, next, crashed, standStill)

/** Our own transactions meet their fates too: undone before the commit, or everything after it left undone. */
export function befallTransactions(context: AppContext): void {
  const kept = context.inCompany
  class Killed extends Error {}
  context.inCompany = async (company, work) => {
    const fate = next()
    if (fate === 'late') await standStill()
    try {
      const answer = await kept(company, async (tx) => {
        const done = await work(tx)
        if (fate === 'crash before') throw new Killed()
        return done
      })
      if (fate !== 'crash after') return answer
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    }
    crashed()
    return crash()
  }
}

/** A step that was begun: `ended` when it has ended or died, `paused` as well when it stands still. */
export function befall(fates: readonly CallFate[], thaw: Promise<void>, work: () => Promise<unknown>) {
  const [death, pause] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const lot = { left: [...fates], onCrash: death.resolve, onStandStill: pause.resolve, thaw }
  return lots.run(lot, () => {
    const ended: Promise<unknown> = Promise.race([work(), death.promise])
    return { ended, paused: Promise.race([ended, pause.promise]) }
  })
}
