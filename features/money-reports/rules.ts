/** Kinds of ledger accounts for the platform's earnings and costs. */
export const accountKinds = ['revenue', 'expense'] as const
export type AccountKind = (typeof accountKinds)[number]

/**
 * Returns the months of a period, without gaps. For example, `monthsOf('2026-10-22', '2026-12-01')` returns October to
 * December.
 */
export function monthsOf(fromDate: string, toDate: string): string[] {
  const months: string[] = []
  let [year, month] = fromDate.split('-').map(Number) as [number, number]
  const last = toDate.slice(0, 7)
  for (;;) {
    const name = `${year}-${String(month).padStart(2, '0')}`
    if (name > last) return months
    months.push(name)
    ;[year, month] = month === 12 ? [year + 1, 1] : [year, month + 1]
  }
}
