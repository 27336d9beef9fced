import { formatCents } from '../../shared/money.ts'

/** An amount, which no translation may change. In integer cents. */
export const Money = ({ cents, className }: { cents: number; className?: string }) => (
  <span translate="no" className={className}>
    {formatCents(cents)}
  </span>
)
