/** Accounts of each company's ledger. */
export const ledgerAccounts = {
  gateway_clearing: { name: 'Gateway clearing', kind: 'asset' },
  deposits_in_transit: { name: 'Deposits in transit', kind: 'asset' },
  bank: { name: 'Bank', kind: 'asset' },
  office_cash: { name: 'Office cash', kind: 'asset' },
  returns_receivable: { name: 'Returns receivable', kind: 'asset' },
  dispute_reserve: { name: 'Dispute reserve', kind: 'asset' },
  payable_municipality: { name: 'Payable to the municipality', kind: 'liability' },
  fee_revenue: { name: 'Fee revenue', kind: 'revenue' },
  provider_cost: { name: 'Provider cost', kind: 'expense' },
  absorbed_fee: { name: 'Absorbed-fee expense', kind: 'expense' },
  cash_over_short: { name: 'Cash over and short', kind: 'expense' },
  bank_fees: { name: 'Bank fees', kind: 'expense' },
  bank_differences: { name: 'Bank differences', kind: 'expense' },
} as const
export type LedgerAccount = keyof typeof ledgerAccounts

/** Ledger accounts for deductions by the municipality's own bank, which are not a provider cost. */
export const companyAccounts: ReadonlySet<string> = new Set<LedgerAccount>(['bank_fees', 'bank_differences'])
