import type { ProviderDeps } from '../provider-kit/provider.ts'

/** Dependencies of the gateway's code: those of every provider, and the origin of the gateway's pages. */
export interface GatewayDeps extends ProviderDeps {
  /** Origin of the gateway's pages, as browsers see it. */
  publicOrigin: () => string
}
