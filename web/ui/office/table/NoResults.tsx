import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '../../Button.tsx'
import { EmptyState } from '../../States.tsx'
import type { FilterField } from './fields.ts'
import type { TableState } from './table-state.ts'

interface NoResultsProps {
  state: TableState
  noun: (count: number) => string
  /** Filters that the reader set. */
  changed: readonly FilterField[]
}

/** Message for an empty result, with advice that depends on search, filters and date range. */
export function NoResults({ state, noun, changed }: NoResultsProps) {
  const { t } = useLingui()
  const names = noun(0)
  const filtered = changed.length > 0
  const dated = changed.some(({ id }) => /^from|Date$|days/i.test(id))
  return (
    <EmptyState
      title={t`No ${names} to show`}
      action={
        state.question.search && (
          <Button onClick={() => state.setSearch('')}>
            <Trans>Clear search</Trans>
          </Button>
        )
      }
    >
      {state.question.search ? (
        filtered ? (
          <Trans>No results match this search and these filters. Check the spelling, or shorten the search.</Trans>
        ) : (
          <Trans>No results match this search. Check the spelling, or shorten the search.</Trans>
        )
      ) : dated ? (
        <Trans>No results match these filters. Remove a filter, or widen the date range.</Trans>
      ) : filtered ? (
        <Trans>No results match these filters. Remove a filter.</Trans>
      ) : (
        <Trans>New entries will appear here.</Trans>
      )}
    </EmptyState>
  )
}
