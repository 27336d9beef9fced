import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { CloseAction, SlideOut } from '../../../web/ui/Dialog.tsx'
import { SearchResults } from './SearchResults.tsx'
import { SearchForm } from './SearchForm.tsx'

/**
 * Search panel of the header, for questions, services, payments and forms. The browser loads it when it first opens.
 */
export default function SearchPanel({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const [search, setSearch] = useState('')
  return (
    <SlideOut title={<Trans>Search</Trans>} onClose={onClose} actions={<CloseAction onClose={onClose} />}>
      <SearchForm label={t`What are you looking for?`} query={search} focused onSearch={setSearch} className="mb-6" />
      {search === '' ? (
        <p className="text-muted">
          <Trans>Ask in your own words to find answers, services, payments and forms.</Trans>
        </p>
      ) : (
        <SearchResults search={search} onSearch={setSearch} />
      )}
    </SlideOut>
  )
}
