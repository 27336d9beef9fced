import { Trans } from '@lingui/react/macro'
import type { Price } from '../../shared/fields/prices.ts'
import { formatCents } from '../../shared/money.ts'
import { DetailList } from '../ui/Card.tsx'

export const PriceList = ({ prices }: { prices: readonly Price[] }) =>
  prices.length > 0 && (
    <section className="mt-5">
      <h3 className="mb-2 text-lg">
        <Trans>Prices</Trans>
      </h3>
      <DetailList
        details={prices.map(({ label, cents, each }) => [
          label,
          <span key={label} className="tabular-nums">
            {each ? <Trans>{formatCents(cents)} each</Trans> : formatCents(cents)}
          </span>,
        ])}
      />
    </section>
  )
