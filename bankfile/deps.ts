import type { ProviderDeps } from '../provider-kit/provider.ts'
import type { Seal } from './seal.ts'

/** Parts that the provider's code uses. */
export interface BankfileDeps extends ProviderDeps {
  seal: Seal
}
