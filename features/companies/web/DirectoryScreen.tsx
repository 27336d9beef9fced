import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { MapPinned, Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Plat } from '../../../web/ui/Emblem.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Measure } from '../../../web/ui/Page.tsx'
import { EmptyState, Failed } from '../../../web/ui/States.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { CompanyTile } from './CompanyTile.tsx'
import { useDirectory } from './use-companies.ts'

/** Directory of the municipalities that are online, on the host without a subdomain (product rules, section 2). */
export default function DirectoryScreen() {
  const { t } = useLingui()
  const { search, companies, more, loading, error, find, loadMore } = useDirectory()
  const [text, setText] = useState(search)
  const count = companies.length

  const submit = (event: FormEvent) => {
    event.preventDefault()
    find(text)
  }

  return (
    <>
      <section className="relative overflow-hidden bg-deep text-white">
        <Plat seed="mainstreet" className="absolute inset-0 size-full" />
        <Measure className="relative py-12 md:py-16">
          <h1 className="text-h1">
            <Trans>Find your municipality</Trans>
          </h1>
          <p className="mt-3 max-w-text text-lg text-on-deep-soft">
            <Trans>Pay bills, submit forms and contact your city hall online.</Trans>
          </p>
          <form
            role="search"
            onSubmit={submit}
            className="mt-8 flex max-w-text flex-wrap items-end gap-3 rounded-sm bg-surface p-5 text-ink"
          >
            <TextField
              type="search"
              label={t`Name, city or state`}
              value={text}
              onChange={(event) => setText(event.target.value)}
              maxLength={100}
              autoComplete="off"
              className="min-w-48 flex-1"
            />
            <Button type="submit" variant="primary" icon={Search} busy={loading === 'search'}>
              <Trans>Search</Trans>
            </Button>
          </form>
        </Measure>
      </section>
      <Measure className="pt-10 pb-16">
        <p role="status" className="mb-5 text-muted">
          {search === '' ? (
            more ? (
              <Trans>Showing the first {count} municipalities by name</Trans>
            ) : (
              <Plural value={count} one="# municipality online" other="# municipalities online" />
            )
          ) : (
            <Trans>
              <Plural value={count} one="# municipality" other="# municipalities" /> for “{search}”
            </Trans>
          )}
        </p>
        {error ? (
          <Failed error={error} title={<Trans>Could not load the municipalities</Trans>} onRetry={() => find(text)} />
        ) : count === 0 ? (
          <NoCompanies
            search={search}
            onShowAll={() => {
              setText('')
              find('')
            }}
          />
        ) : (
          <ul className="grid gap-4 md:grid-cols-2 md:gap-5 lg:grid-cols-3">
            {companies.map((company) => (
              <CompanyTile key={company.url} company={company} />
            ))}
          </ul>
        )}
        {more && !error && (
          <Button className="mt-8" onClick={loadMore} busy={loading === 'more'}>
            <Trans>Show more</Trans>
          </Button>
        )}
      </Measure>
    </>
  )
}

const NoCompanies = ({ search, onShowAll }: { search: string; onShowAll: () => void }) => (
  <EmptyState
    icon={MapPinned}
    title={search ? <Trans>No matching municipalities</Trans> : <Trans>No municipalities are online yet</Trans>}
    action={
      search && (
        <Button variant="primary" onClick={onShowAll}>
          <Trans>Show all</Trans>
        </Button>
      )
    }
  >
    {search ? <Trans>Check the spelling, or search by city or state.</Trans> : <Trans>Check back soon.</Trans>}
  </EmptyState>
)
