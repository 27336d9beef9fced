import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowRight, ReceiptText } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import { translated } from '../../../shared/words.ts'
import { useCartInAddress } from '../../../web/cart.ts'
import { setQuery } from '../../../web/go.ts'
import { useAnswer } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { Answered } from '../../../web/ui/Answered.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { type Offered, payableTypes } from '../contract.ts'
import { categories, type Category } from '../rules.ts'
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
        {({ types }) => <Choice types={types} />}
      </Answered>
    </Measure>
  )
}

const isCategory = (text: string | null): text is Category => text !== null && text in categories

function Choice({ types }: { types: readonly Offered[] }) {
  const { t } = useLingui()
  const [search, setSearch] = useState('')
  const asked = useQueryParam('category')
  const there = (Object.keys(categories) as Category[]).filter((name) =>
    types.some(({ category }) => category === name),
  )
  const category = isCategory(asked) && there.includes(asked) ? asked : ''
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = types.filter(
    (type) =>
      (category === '' || type.category === category) &&
      words.every((word) => `${type.title} ${type.description}`.toLowerCase().includes(word)),
  )
  if (types.length === 0)
    return (
      <EmptyState icon={ReceiptText} title={<Trans>Nothing can be paid here yet</Trans>}>
        <Trans>The municipality has not opened any payment. Utility bills are paid under Utilities.</Trans>
      </EmptyState>
    )
  return (
    <>
      <div className="mb-6 grid gap-4 sm:grid-cols-2 lg:max-w-form lg:grid-cols-[1fr_14rem]">
        <TextField
          label={<Trans>Search</Trans>}
          type="search"
          autoComplete="off"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <Select
          label={<Trans>Category</Trans>}
          value={category}
          onChange={({ target }) => setQuery({ category: target.value })}
          options={[
            { value: '', label: t`All categories` },
            ...there.map((name) => ({ value: name, label: translated(categories[name]) })),
          ]}
        />
      </div>
      <p role="status" className="mb-4 text-muted">
        {found.length === 0 ? (
          <Trans>Nothing that can be paid matches this. Use fewer words, or all categories.</Trans>
        ) : (
          <Trans>
            {found.length} of {types.length} shown
          </Trans>
        )}
      </p>
      <ul className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
        {there.flatMap((name) =>
          found.filter((type) => type.category === name).map((type) => <Thing key={type.slug} type={type} />),
        )}
      </ul>
    </>
  )
}

function Thing({ type }: { type: Offered }) {
  const { slug, title, category, description, dueDate, soldOut } = type
  const cart = useCartInAddress()
  return (
    <li className="group relative flex flex-col gap-1 rounded-sm border border-line bg-surface p-5 transition-shadow hover:shadow-raised">
      <p className="text-muted text-sm">{translated(categories[category])}</p>
      <div className="flex items-start justify-between gap-3">
        <h2 className="text-tile leading-tight">
          <Link
            to={cart === null ? `/pay/${slug}` : `/pay/${slug}?cart=${cart}`}
            className="rounded-sm after:absolute after:inset-0 after:content-['']"
          >
            {title}
          </Link>
        </h2>
        <ArrowRight size={18} aria-hidden className="mt-1 shrink-0 text-muted group-hover:text-link" />
      </div>
      {description && <p className="line-clamp-3 text-muted">{description}</p>}
      <p className="mt-auto flex flex-wrap gap-x-4 pt-2">
        <strong>{priceOf(type)}</strong>
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
      </p>
    </li>
  )
}
