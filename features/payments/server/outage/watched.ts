import type { Config } from '../../../../server/config.ts'
import { type Provider, ProviderRefused, ProviderSilent } from '../provider.ts'

/** Is told what becomes of each call to a provider. */
export interface Watcher {
  /** It answered; a refusal is an answer, too. */
  answered(provider: string, account: string, verb: string): Promise<void>
  silent(provider: string, account: string, verb: string): Promise<void>
  /** It takes no payments of this account at the moment, as far as is known. */
  isOut(provider: string, account: string): Promise<boolean>
}

const watchers = new WeakMap<Config, Watcher>()

/** From now on it is told of all calls of the portal that has this configuration. */
export const watchCalls = (config: Config, watcher: Watcher): void => void watchers.set(config, watcher)

/** The verbs of the port that ask the provider, with those of its groups, and which of them begin with an account. */
const OF_ACCOUNT = new Set([
  ...['createIntent', 'confirmIntent', 'getIntent', 'cancelIntent', 'cardOf', 'voidIntent', 'createRefund'],
  ...['getRefund', 'getDispute', 'setup', 'getSetup', 'list', 'remove', 'pair', 'clear', 'listPayouts', 'listLines'],
  ...['link', 'standing', 'submit'],
])
const OF_NOBODY = new Set(['ensureAccount', 'listMovements'])
const GROUPS = new Set(['stored', 'terminal', 'settlement', 'onboarding', 'evidence'])

const made = new WeakMap<Provider, Provider>()

/** The same provider, whose calls somebody watches. */
export function watched(config: Config, provider: Provider): Provider {
  const known = made.get(provider)
  if (known) return known
  const watching = watch(provider, '', { name: provider.name, watcher: () => watchers.get(config) })
  made.set(provider, watching)
  return watching
}

interface ProviderWatch {
  name: string
  watcher: () => Watcher | undefined
}

/** Whatever is asked of it goes to the original, so that an adapter's own state stays its own. */
const watch = <T extends object>(original: T, group: string, watching: ProviderWatch): T =>
  new Proxy(original, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof key !== 'string') return value
      if (GROUPS.has(key) && group === '' && value) return watch(value, `${key}.`, watching)
      if (typeof value !== 'function') return value
      const isOurs = OF_ACCOUNT.has(key) || OF_NOBODY.has(key)
      const call = (...args: unknown[]): unknown => Reflect.apply(value, target, args)
      return isOurs ? (...args: unknown[]) => told(watching, `${group}${key}`, key, args, call) : call
    },
  })

async function told(
  { name, watcher }: ProviderWatch,
  verb: string,
  key: string,
  args: unknown[],
  call: (...args: unknown[]) => unknown,
): Promise<unknown> {
  const account = OF_ACCOUNT.has(key) ? String(args[0]) : ''
  // Nobody waits for a provider that is known to be out, and no charge begins of which nobody could say what became of it.
  if (verb === 'createIntent' && (await watcher()?.isOut(name, account)))
    throw new ProviderSilent('the payment service is known to be out')
  try {
    const answer = await call(...args)
    await watcher()?.answered(name, account, verb)
    return answer
  } catch (error) {
    if (error instanceof ProviderSilent) await watcher()?.silent(name, account, verb)
    if (error instanceof ProviderRefused) await watcher()?.answered(name, account, verb)
    throw error
  }
}
