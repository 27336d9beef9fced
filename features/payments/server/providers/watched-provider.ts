import type { Config } from '../../../../server/config.ts'
import { type Provider, ProviderRefused, ProviderSilent } from './provider.ts'

/** Observer of each call to a provider. */
export interface Watcher {
  /** Reports that the provider responded. A refusal also counts as a response. */
  responded(provider: string, account: string, verb: string): Promise<void>
  silent(provider: string, account: string, verb: string): Promise<void>
  /** True if the portal already knows of an outage of this account, so that the account takes no payments. */
  isOut(provider: string, account: string): Promise<boolean>
}

const watchers = new WeakMap<Config, Watcher>()

/** Registers the observer for all provider calls of the portal with this configuration. */
export const watchCalls = (config: Config, watcher: Watcher): void => void watchers.set(config, watcher)

/** Names of provider methods (including nested ones) that take an account as first argument. */
const OF_ACCOUNT = new Set([
  ...['createIntent', 'confirmIntent', 'getIntent', 'cancelIntent', 'cardOf', 'voidIntent', 'createRefund'],
  ...['getRefund', 'getDispute', 'setup', 'getSetup', 'list', 'remove', 'pair', 'clear', 'listPayouts', 'listLines'],
  ...['link', 'loadStatus', 'submit'],
])
const OF_NOBODY = new Set(['ensureAccount', 'listMovements'])
const GROUPS = new Set(['stored', 'terminal', 'settlement', 'onboarding', 'evidence'])

const made = new WeakMap<Provider, Provider>()

/** Wraps a provider so that the observer sees each call. A provider always gets one wrapper. */
export function watched(config: Config, provider: Provider): Provider {
  const existing = made.get(provider)
  if (existing) return existing
  const watching = watch(provider, '', { name: provider.name, watcher: () => watchers.get(config) })
  made.set(provider, watching)
  return watching
}

interface ProviderWatch {
  name: string
  watcher: () => Watcher | undefined
}

/** Wraps provider methods. Each runs on the original object, because an adapter may have private fields. */
const watch = <T extends object>(original: T, group: string, watching: ProviderWatch): T =>
  new Proxy(original, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof key !== 'string') return value
      if (GROUPS.has(key) && group === '' && value) return watch(value, `${key}.`, watching)
      if (typeof value !== 'function') return value
      const isOurs = OF_ACCOUNT.has(key) || OF_NOBODY.has(key)
      const call = (...args: unknown[]): unknown => Reflect.apply(value, target, args)
      return isOurs ? (...args: unknown[]) => reportOutcome(watching, `${group}${key}`, key, args, call) : call
    },
  })

async function reportOutcome(
  { name, watcher }: ProviderWatch,
  verb: string,
  key: string,
  args: unknown[],
  call: (...args: unknown[]) => unknown,
): Promise<unknown> {
  const account = OF_ACCOUNT.has(key) ? String(args[0]) : ''
  // Refuses the charge immediately during a known outage. The payer then does not wait, and the portal starts no charge
  // with an unknown outcome.
  if (verb === 'createIntent' && (await watcher()?.isOut(name, account)))
    throw new ProviderSilent('the payment provider is known to be out')
  try {
    const response = await call(...args)
    await watcher()?.responded(name, account, verb)
    return response
  } catch (error) {
    if (error instanceof ProviderSilent) await watcher()?.silent(name, account, verb)
    if (error instanceof ProviderRefused) await watcher()?.responded(name, account, verb)
    throw error
  }
}
