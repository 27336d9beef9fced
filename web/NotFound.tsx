import { Trans, useLingui } from '@lingui/react/macro'
import { Search, Signpost } from 'lucide-react'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { go } from './go.ts'
import { isOpen, moduleOffAt } from './modules.ts'
import { usePath } from './routes.tsx'
import { Button, LinkButton } from './ui/Button.tsx'
import { EmptyState } from './ui/States.tsx'
import { Measure, PageHead } from './ui/Page.tsx'
import { TextField } from './ui/TextField.tsx'

interface NotFoundProps {
  home?: string
  /** Path of a page with a search. The page reads its search text from the query parameter `search`. */
  search?: string
}

const NotOffered = lazy(() => import('./NotOffered.tsx'))

/** Page for an unknown URL, or for a service that the municipality has turned off. */
export function NotFound(props: NotFoundProps) {
  const off = moduleOffAt(usePath())
  if (!off) return <UnknownPage {...props} />
  return (
    <Suspense>
      <NotOffered name={off.name} />
    </Suspense>
  )
}

/** A search, and a link to the home page. */
const UnknownPage = ({ home = '/home', search }: NotFoundProps) => (
  <Measure className="py-10">
    <PageHead title={<Trans>Page not found</Trans>} />
    <EmptyState
      icon={Signpost}
      title={<Trans>No page at this address</Trans>}
      action={
        <div className="flex w-full flex-col items-start gap-4">
          {search !== undefined && isOpen(search) && <SearchField path={search} />}
          <LinkButton to={home} variant={search === undefined ? 'primary' : 'secondary'}>
            <Trans>Back to home page</Trans>
          </LinkButton>
        </div>
      }
    >
      <Trans>The page that you requested does not exist or has moved. Check the address for typos.</Trans>
    </EmptyState>
  </Measure>
)

function SearchField({ path }: { path: string }) {
  const { t } = useLingui()
  const [text, setText] = useState('')
  const find = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') go(`${path}?search=${encodeURIComponent(text.trim())}`)
  }
  return (
    <form role="search" onSubmit={find} className="flex w-full flex-wrap items-end gap-3">
      <TextField
        className="min-w-0 grow basis-60"
        label={t`What are you looking for?`}
        type="search"
        autoComplete="off"
        maxLength={200}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" variant="primary" icon={Search}>
        <Trans>Search</Trans>
      </Button>
    </form>
  )
}
