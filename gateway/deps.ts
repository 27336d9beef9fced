import type { ProviderDeps } from '../provider-kit/provider.ts'

/** Parts that the gateway's code uses. */
export interface GatewayDeps extends ProviderDeps {
  /** Origin of the gateway's pages, as browsers see it. */
  publicOrigin: () => string
}
