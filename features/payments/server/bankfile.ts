import { type Provider, ProviderRefused } from './provider.ts'
import { sandboxProvider, type SandboxSettings, typedInto } from './sandbox.ts'

/** Where the bank-file provider is, its keys, and whether money moves there. */
export interface BankfileSettings extends SandboxSettings {
  live: boolean
}

/** A bank account that is nobody's. */
const TEST_ACCOUNT = {
  ...{ type: 'echeck', routing: '110000000', number: '000123456789' },
  ...{ holder: 'Test Payment', account_type: 2 },
}
const ECHECKS_ALONE = 'This town takes payments from bank accounts alone: choose a checking or savings account.'

/**
 * The adapter of the bank-file provider: a town debits bank accounts itself, by files of the ACH network that it gives its
 * bank. Its process speaks as the sandbox gateway's does, and has no cards, no card readers and no disputes: a debit that its
 * owner did not authorize comes back as a return.
 */
export function bankfileProvider({ live, ...settings }: BankfileSettings): Provider {
  const { terminal: _none, trial: _cards, cardOf: _noCards, ...own } = sandboxProvider(settings)
  return {
    ...own,
    name: 'bankfile',
    test: !live,
    ...(own.onboarding && { onboarding: { ...own.onboarding, asksFirst: live } }),
    trial: {
      method: 'echeck',
      means: async (account) => ({ token: await typedInto(settings, account, TEST_ACCOUNT) }),
    },
    async createIntent(account, wanted, key) {
      if (wanted.method !== 'echeck') throw new ProviderRefused(ECHECKS_ALONE)
      return own.createIntent(account, wanted, key)
    },
    async confirmIntent(account, id, means, returnUrl, key) {
      if ('reader' in means || 'sameAs' in means) throw new ProviderRefused(ECHECKS_ALONE)
      return own.confirmIntent(account, id, means, returnUrl, key)
    },
    stored: {
      ...own.stored,
      async setup(account, wanted, key) {
        if (wanted.method !== 'echeck')
          return { status: 'failed', error: { code: 'echecks_alone', message: ECHECKS_ALONE } }
        return own.stored.setup(account, wanted, key)
      },
    },
    async getDispute() {
      throw new ProviderRefused('debits of bank accounts have returns, and no disputes')
    },
  }
}
