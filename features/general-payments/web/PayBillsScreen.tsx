import { Trans } from '@lingui/react/macro'
import { ReceiptText } from 'lucide-react'
import { formatDate } from '../../../shared/dates.ts'
import { useCartInAddress } from '../../../web/cart.ts'
import { useAnswer } from '../../../web/query.ts'
import { Answered } from '../../../web/ui/Answered.tsx'
import { Catalogue, OfferedCard } from '../../../web/ui/Catalogue.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { type Offered, payableTypes } from '../contract.ts'
import { categories } from '../rules.ts'
import { priceOf } from './price.ts'

/** Everything that a resident can pay beside utility bills, to be searched and looked through by category. */
export default function PayBillsScreen() {
  const answer = useAnswer(payableTypes, {})
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={<Trans>Pay Bills</Trans>}>
        <Trans>Taxes, licenses, permits and whatever else the municipality takes a payment for.</Trans>
      </PageHead>
      <Answered answer={answer} loading={<Trans>Loading what can be paid</Trans>} rows={8}>
        {({ types }) => (
          <Catalogue
            things={types}
            categories={categories}
            empty={{
              icon: ReceiptText,
              title: <Trans>Nothing can be paid here yet</Trans>,
              text: <Trans>The municipality has not opened any payment. Utility bills are paid under Utilities.</Trans>,
            }}
            noMatch={<Trans>Nothing that can be paid matches this. Use fewer words, or all categories.</Trans>}
          >
            {(type) => <Thing key={type.slug} type={type} />}
          </Catalogue>
        )}
      </Answered>
    </Measure>
  )
}

function Thing({ type }: { type: Offered }) {
  const { slug, dueDate, soldOut } = type
  const cart = useCartInAddress()
  return (
    <OfferedCard
      to={cart === null ? `/pay/${slug}` : `/pay/${slug}?cart=${cart}`}
      thing={type}
      categories={categories}
      price={priceOf(type)}
    >
      {soldOut && (
        <span className="text-muted">
          <Trans>Sold out</Trans>
        </span>
      )}
      {dueDate && (
        <span className="text-muted">
          <Trans>Due {formatDate(dueDate)}</Trans>
        </span>
      )}
    </OfferedCard>
  )
}
