import { formatCents } from '../../shared/money.ts'

/** An amount in cents, excluded from browser translation. */
export const Money = ({ cents, className }: { cents: number; className?: string }) => (
  <span translate="no" className={className}>
    {formatCents(cents)}
  </span>
)
