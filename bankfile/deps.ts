import type { ProviderDeps } from '../provider-kit/provider.ts'
import type { Seal } from './seal.ts'

/** Dependencies of the bank-file provider. */
export interface BankfileDeps extends ProviderDeps {
  seal: Seal
}
