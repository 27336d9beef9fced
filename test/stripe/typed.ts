import { randomUUID } from 'node:crypto'
import type { Scenario } from '../provider-model.ts'

/** Behavior of a card or bank account that the payer types into Stripe's fields. */
export interface TypedMethod {
  id: string
  type: 'card' | 'us_bank_account'
  scenario: Scenario
  last4: string
  /** Decline reason of the bank, as Stripe's code. */
  decline?: keyof typeof declines
  /** True if the owner disputes payments with this method. */
  disputed?: true
  /** True if the owner must confirm two micro-deposits before the method can pay. */
  unverified?: true
  isUsed?: true
}

/** Stripe's messages for declined cards. */
export const declines = {
  generic_decline: 'Your card was declined.',
  insufficient_funds: 'Your card has insufficient funds.',
  expired_card: 'Your card has expired.',
  incorrect_cvc: "Your card's security code is incorrect.",
  processing_error: 'An error occurred while processing your card. Try again in a little bit.',
} as const

/** Stripe's published test numbers. Source: https://docs.stripe.com/testing */
const CARDS: Readonly<Record<string, Pick<TypedMethod, 'scenario' | 'decline' | 'disputed'>>> = {
  '4242424242424242': { scenario: 'ok' },
  '5555555555554444': { scenario: 'ok' },
  '4000000000000002': { scenario: 'declined', decline: 'generic_decline' },
  '4000000000009995': { scenario: 'declined', decline: 'insufficient_funds' },
  '4000000000000069': { scenario: 'declined', decline: 'expired_card' },
  '4000000000000127': { scenario: 'declined', decline: 'incorrect_cvc' },
  '4000000000000119': { scenario: 'declined', decline: 'processing_error' },
  '4000002500003155': { scenario: 'challenge' },
  '4000002760003184': { scenario: 'challenge' },
  '4000000000000259': { scenario: 'ok', disputed: true },
}
const ACCOUNTS: Readonly<Record<string, Scenario>> = {
  '000123456789': 'echeck',
  '000222222227': 'echeck_R01',
  '000333333335': 'echeck_R10',
}

/** Creates a payment method from typed data. Null if the number is not one of Stripe's test numbers. */
export function typedMethod(typed: Readonly<Record<string, string>>): TypedMethod | null {
  const number = (typed['number'] ?? typed['account'] ?? '').replaceAll(/\D/g, '')
  const details = { id: `pm_${randomUUID().replaceAll('-', '')}`, last4: number.slice(-4) }
  if (typed['type'] === 'card') {
    const card = CARDS[number]
    return card ? { ...details, type: 'card', ...card } : null
  }
  // An instantly verified bank account needs no micro-deposits.
  if (typed['instant']) return { ...details, type: 'us_bank_account', scenario: 'echeck', last4: '6789' }
  const scenario = ACCOUNTS[number]
  return scenario ? { ...details, type: 'us_bank_account', scenario, unverified: true } : null
}
