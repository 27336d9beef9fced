import { BANK_FIELDS, fieldsPage as pageOf, input } from '../provider-kit/hosted.ts'

const pages = {
  card: {
    title: 'Card details',
    fields: [
      input({ id: 'number', label: 'Card number', maxLength: 60, autocomplete: 'cc-number', wide: true }),
      input({ id: 'expiry', label: 'Expires (MM / YY)', maxLength: 20, autocomplete: 'cc-exp' }),
      input({ id: 'cvc', label: 'Security code', maxLength: 12, autocomplete: 'cc-csc' }),
    ],
  },
  bank: BANK_FIELDS,
}

/** Returns the page with hosted fields for a card or a bank account. Null for any other kind. */
export async function fieldsPage(kind: string): Promise<string | null> {
  return kind === 'card' || kind === 'bank' ? pageOf(kind, pages[kind], 'TEST: no money moves.') : null
}
