import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowRight, type LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { translated } from '../../shared/messages.ts'
import { setQuery } from '../go.ts'
import { useQueryParam } from '../routes.tsx'
import { Select } from './Choice.tsx'
import { Link } from './Link.tsx'
import { EmptyState } from './States.tsx'
import { TextField } from './TextField.tsx'
import { Text } from './Text.tsx'

interface CatalogItem {
  slug: string
  title: string
  category: string
  description: string
}

interface CatalogProps<Item extends CatalogItem> {
  items: readonly Item[]
  /** All categories in display order. Only categories with items can be chosen. */
  categories: Readonly<Record<string, string>>
  /** Returns text to search in addition to title and description. */
  searchTextOf?: (item: Item) => string
  /** Shown if the company offers no items. */
  empty: { icon: LucideIcon; title: ReactNode; text: ReactNode }
  /** Shown if no item matches the search. */
  noMatch: ReactNode
  children: (item: Item) => ReactNode
}

/** List of the items that a company offers to residents, with a search and a category filter. */
export function Catalog<Item extends CatalogItem>(props: CatalogProps<Item>) {
  const { items, categories, searchTextOf = () => '', empty, noMatch, children } = props
  const { t } = useLingui()
  const [search, setSearch] = useState('')
  const requested = useQueryParam('category') ?? ''
  const there = Object.keys(categories).filter((name) => items.some(({ category }) => category === name))
  const category = there.includes(requested) ? requested : ''
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = items.filter((item) => {
    const text = `${item.title} ${item.description} ${searchTextOf(item)}`.toLowerCase()
    return (category === '' || item.category === category) && terms.every((word) => text.includes(word))
  })
  if (items.length === 0)
    return (
      <EmptyState icon={empty.icon} title={empty.title}>
        {empty.text}
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
            ...there.map((name) => ({ value: name, label: translated(categories[name] ?? name) })),
          ]}
        />
      </div>
      <p role="status" className="mb-4 text-muted">
        {matches.length === 0 ? (
          noMatch
        ) : (
          <Trans>
            {matches.length} of {items.length} shown
          </Trans>
        )}
      </p>
      <ul className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
        {there.flatMap((name) => matches.filter((item) => item.category === name).map(children))}
      </ul>
    </>
  )
}

interface OfferedCardProps {
  to: string
  item: CatalogItem
  categories: Readonly<Record<string, string>>
  price: string
  heading?: 'h2' | 'h3'
  /** Text next to the price, such as a closing date or "sold out". */
  children?: ReactNode
}

/** Card for one item that the company offers. The whole card is a link. */
export const OfferedCard = ({ to, item, categories, price, heading: Heading = 'h2', children }: OfferedCardProps) => (
  <li className="group relative flex flex-col gap-1 rounded-sm border border-line bg-surface p-5 transition-shadow hover:shadow-raised">
    <p className="text-muted text-sm">{translated(categories[item.category] ?? '')}</p>
    <div className="flex items-start justify-between gap-3">
      <Heading className="text-tile leading-tight">
        <Link to={to} className="rounded-sm after:absolute after:inset-0 after:content-['']">
          {item.title}
        </Link>
      </Heading>
      <ArrowRight size={18} aria-hidden className="mt-1 shrink-0 text-muted group-hover:text-link" />
    </div>
    {item.description && <p className="line-clamp-3 text-muted">{item.description}</p>}
    <p className="mt-auto flex flex-wrap gap-x-4 pt-2">
      <strong>{price}</strong>
      <Text>{children}</Text>
    </p>
  </li>
)
