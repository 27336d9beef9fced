/** Data that a provider returned about a card or bank account. */
interface ProviderMethod {
  /** `card` for a card. Any other value means a bank account. */
  type: string
  brand?: string | null | undefined
  last4?: string | null | undefined
  /** `savings` or 1 for a savings account. Any other value means a checking account. */
  account_type?: string | number | null | undefined
}

const BRANDS: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  maestro: 'Maestro',
  diners_club: 'Diners Club',
}

/** Returns a label such as "Visa ending 4242". Empty if the last digits are unknown. */
export function describe(method: ProviderMethod | null): string {
  if (!method?.last4) return ''
  if (method.type === 'card') return `${BRANDS[method.brand ?? ''] ?? 'Card'} ending ${method.last4}`
  const kind =
    String(method.account_type) === '1' || method.account_type === 'savings' ? 'Savings account' : 'Checking account'
  return `${kind} ending ${method.last4}`
}
