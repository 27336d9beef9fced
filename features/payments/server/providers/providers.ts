import type { Config } from '../../../../server/config.ts'
import { bankfileProvider } from './bankfile.ts'
import { watched } from './watched-provider.ts'
import { type Provider, ProviderSilent } from './provider.ts'
import { sandboxProvider } from './sandbox/sandbox.ts'
import { stripeProvider } from './stripe/stripe.ts'

/** Adapter factory. Returns null if the portal is not configured for the provider. */
type Adapter = (config: Config) => Provider | null

/** All adapters, by the provider name in the table `processor`. A new adapter needs a row here and in that table. */
const adapters: Readonly<Record<string, Adapter>> = {
  sandbox: ({ gateway }) => (gateway.available ? sandboxProvider({ ...gateway }) : null),
  stripe: ({ stripe }) => stripe && stripeProvider(stripe),
  bankfile: ({ bankfile }) => bankfile && bankfileProvider(bankfile),
}

/** Names of all adapters, configured or not. */
export const providerNames: readonly string[] = Object.keys(adapters)

const made = new WeakMap<Config, Map<string, Provider | null>>()

function madeOf(config: Config): Map<string, Provider | null> {
  const existing = made.get(config)
  if (existing) return existing
  const providers = new Map(Object.entries(adapters).map(([name, make]) => [name, make(config)]))
  made.set(config, providers)
  return providers
}

/** Finds a connected provider, or null. The outages feature observes all calls (`features/outages/`). */
export function findProvider(config: Config, name: string): Provider | null {
  const provider = madeOf(config).get(name)
  return provider ? watched(config, provider) : null
}

/**
 * Finds a provider that must exist.
 * @throws ProviderSilent if this portal is not connected to it
 */
export function providerNamed(config: Config, name: string): Provider {
  const provider = findProvider(config, name)
  if (!provider) throw new ProviderSilent(`this portal is not connected to the payment provider ${name}`)
  return provider
}

/** Lists the providers that this portal is connected to. */
export const allProviders = (config: Config): readonly Provider[] =>
  [...madeOf(config).values()].flatMap((provider) => (provider ? [watched(config, provider)] : []))

/** Replaces a provider by name, for example with a test model. */
export const provideInstead = (config: Config, provider: Provider): void =>
  void madeOf(config).set(provider.name, provider)
