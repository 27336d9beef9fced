import type { Config } from '../../../server/config.ts'
import { bankfileProvider } from './bankfile.ts'
import { watched } from './outage/watched.ts'
import { type Provider, ProviderSilent } from './provider.ts'
import { sandboxProvider } from './sandbox.ts'
import { stripeProvider } from './stripe/stripe.ts'

/** An adapter for what this portal is configured with; null where it is not. */
type Adapter = (config: Config) => Provider | null

/** Every adapter there is, by the name that the table `processor` gives it. The next one is a row here and there. */
const adapters: Readonly<Record<string, Adapter>> = {
  sandbox: ({ gateway }) => (gateway.available ? sandboxProvider({ ...gateway }) : null),
  stripe: ({ stripe }) => stripe && stripeProvider(stripe),
  bankfile: ({ bankfile }) => bankfile && bankfileProvider(bankfile),
}

/** Those that have an adapter, configured or not. */
export const providerNames: readonly string[] = Object.keys(adapters)

const made = new WeakMap<Config, Map<string, Provider | null>>()

function madeOf(config: Config): Map<string, Provider | null> {
  const known = made.get(config)
  if (known) return known
  const providers = new Map(Object.entries(adapters).map(([name, make]) => [name, make(config)]))
  made.set(config, providers)
  return providers
}

/** The provider of this name, where this portal is connected to it. Whether it answers is written down (`outage/`). */
export function findProvider(config: Config, name: string): Provider | null {
  const provider = madeOf(config).get(name)
  return provider ? watched(config, provider) : null
}

/** The same for what can't go on without it. @throws ProviderSilent where this portal is not connected to it (any more) */
export function providerNamed(config: Config, name: string): Provider {
  const provider = findProvider(config, name)
  if (!provider) throw new ProviderSilent(`this portal is not connected to the payment provider ${name}`)
  return provider
}

/** All that this portal is connected to. */
export const allProviders = (config: Config): readonly Provider[] =>
  [...madeOf(config).values()].flatMap((provider) => (provider ? [watched(config, provider)] : []))

/** Puts another provider in the place of the one with its name: a test's model of it, say. */
export const provideInstead = (config: Config, provider: Provider): void =>
  void madeOf(config).set(provider.name, provider)
