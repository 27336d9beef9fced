import { useLingui } from '@lingui/react/macro'
import { Search } from 'lucide-react'
import { useLazyPanel } from '../../../web/lazy-panel.tsx'
import { Text } from '../../../web/ui/Text.tsx'

const panel = () => import('./SearchPanel.tsx')

/** Search button in the header of all residents' pages. */
export default function SearchButton() {
  const { t } = useLingui()
  const search = useLazyPanel(panel, t`Could not open the search. Reload the page and try again.`, 'find')
  return (
    <>
      <button
        type="button"
        aria-label={t`Search`}
        aria-haspopup="dialog"
        onClick={search.open}
        className="grid size-11 place-items-center rounded-sm text-ink hover:bg-tint"
      >
        <Search size={22} aria-hidden />
      </button>
      <Text>{search.panel}</Text>
    </>
  )
}
