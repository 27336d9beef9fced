import { Trans } from '@lingui/react/macro'
import { ArrowRight, ReceiptText } from 'lucide-react'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { useCartFromUrl } from '../../../web/cart.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Catalog, OfferedCard } from '../../../web/ui/Catalog.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { type OfferedType, payableTypes } from '../contract.ts'
import { categories, priceText } from '../rules.ts'

/** Screen with everything other than utility bills that residents can pay, with a search and categories. */
export default function PayBillsScreen() {
  const response = useResponse(payableTypes, {})
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={<Trans>Pay Bills</Trans>}>
        <Trans>Pay utility bills, parking tickets, taxes, licenses, permits and more.</Trans>
      </PageHead>
      <ResponseView response={response} loading={<Trans>Loading the payment options</Trans>} rows={8}>
        {({ types, paths }) => (
          <>
            <PaymentPaths paths={paths} />
            <Catalog
              items={types}
              categories={categories}
              empty={{
                icon: ReceiptText,
                title: <Trans>No other payments available yet</Trans>,
                text: <Trans>We do not accept any other payments online yet.</Trans>,
              }}
              noMatch={<Trans>No payments match your search. Use fewer words, or choose all categories.</Trans>}
            >
              {(type) => <OfferedTypeItem key={type.slug} type={type} />}
            </Catalog>
          </>
        )}
      </ResponseView>
    </Measure>
  )
}

/** Links to the screens where people find bills by number, such as utility bills and parking tickets. */
const PaymentPaths = ({ paths }: { paths: ResponseOf<typeof payableTypes>['paths'] }) =>
  paths.length > 0 && (
    <ul className="mb-8 grid gap-4 md:grid-cols-2">
      {paths.map(({ path, title, note }) => (
        <li
          key={path}
          className="group relative flex items-center justify-between gap-3 rounded-sm border border-line bg-surface p-5 transition-shadow hover:shadow-raised"
        >
          <div className="min-w-0">
            <h2 className="text-tile leading-tight">
              <Link to={path} className="rounded-sm after:absolute after:inset-0 after:content-['']">
                {title}
              </Link>
            </h2>
            <p className="text-muted">{note}</p>
          </div>
          <ArrowRight size={18} aria-hidden className="shrink-0 text-muted group-hover:text-link" />
        </li>
      ))}
    </ul>
  )

function OfferedTypeItem({ type }: { type: OfferedType }) {
  const { slug, dueDate, soldOut } = type
  const cart = useCartFromUrl()
  return (
    <OfferedCard
      to={cart === null ? `/pay/${slug}` : `/pay/${slug}?cart=${cart}`}
      item={type}
      categories={categories}
      price={priceText(type)}
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
