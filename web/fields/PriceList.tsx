import { Trans } from '@lingui/react/macro'
import type { Price } from '../../shared/fields/prices.ts'
import { formatCents } from '../../shared/money.ts'
import { Facts } from '../ui/Card.tsx'

/** The prices that a form names, before anything is filled in. */
export const PriceList = ({ prices }: { prices: readonly Price[] }) =>
  prices.length > 0 && (
    <section className="mt-5">
      <h3 className="mb-2 text-lg">
        <Trans>Prices</Trans>
      </h3>
      <Facts
        facts={prices.map(({ label, cents, each }) => [
          label,
          <span key={label} className="tabular-nums">
            {each ? <Trans>{formatCents(cents)} each</Trans> : formatCents(cents)}
          </span>,
        ])}
      />
    </section>
  )
