import { type Provider, ProviderRefused } from './provider.ts'
import type { SandboxSettings } from './sandbox/client.ts'
import { sandboxProvider } from './sandbox/sandbox.ts'
import { submitHostedFields } from './sandbox/trial.ts'

/** URL and keys of the bank-file provider, and whether it moves real money. */
export interface BankfileSettings extends SandboxSettings {
  live: boolean
}

/** Test bank account that belongs to no one. */
const TEST_ACCOUNT = {
  ...{ type: 'echeck', routing: '110000000', number: '000123456789' },
  ...{ holder: 'Test Payment', account_type: 2 },
}
const ECHECKS_ONLY = 'This municipality accepts payments from bank accounts only. Choose a checking or savings account.'

/**
 * Adapter of the bank-file provider. The company debits bank accounts itself, with ACH files that it sends to its bank.
 * The provider's process has the same API as the sandbox, but no cards, card readers or disputes. A debit that the
 * account owner did not authorize comes back as a return.
 */
export function bankfileProvider({ live, ...settings }: BankfileSettings): Provider {
  const { terminal: _none, trial: _cards, cardOf: _noCards, ...own } = sandboxProvider(settings)
  return {
    ...own,
    name: 'bankfile',
    test: !live,
    ...(own.onboarding && { onboarding: { ...own.onboarding, needsConsent: live } }),
    trial: {
      method: 'echeck',
      createSource: async (account) => ({ token: await submitHostedFields(settings, account, TEST_ACCOUNT) }),
    },
    async createIntent(account, request, key) {
      if (request.method !== 'echeck') throw new ProviderRefused(ECHECKS_ONLY)
      return own.createIntent(account, request, key)
    },
    async confirmIntent(account, id, source, returnUrl, key) {
      if ('reader' in source || 'sameAs' in source) throw new ProviderRefused(ECHECKS_ONLY)
      return own.confirmIntent(account, id, source, returnUrl, key)
    },
    stored: {
      ...own.stored,
      async setup(account, request, key) {
        if (request.method !== 'echeck')
          return { status: 'failed', error: { code: 'echecks_only', message: ECHECKS_ONLY } }
        return own.stored.setup(account, request, key)
      },
    },
    async getDispute() {
      throw new ProviderRefused('debits of bank accounts have returns, and no disputes')
    },
  }
}
