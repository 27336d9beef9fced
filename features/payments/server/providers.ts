import type { Config } from '../../../server/config.ts'
import type { Provider } from './provider.ts'
import { sandboxProvider } from './sandbox.ts'

const made = new WeakMap<Config, Provider>()

/** The configured payment provider. */
export function providerOf(config: Config): Provider {
  const known = made.get(config)
  if (known) return known
  const provider = sandboxProvider({
    url: config.gateway.url,
    publicOrigin: config.gateway.publicOrigin,
    apiKey: config.gateway.apiKey,
    webhookSecret: config.gateway.webhookSecret,
  })
  made.set(config, provider)
  return provider
}

/** Puts another provider in the configured one's place: a test's model of it, say. */
export const provideInstead = (config: Config, provider: Provider): void => void made.set(config, provider)
