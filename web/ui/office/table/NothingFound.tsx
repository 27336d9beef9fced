import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '../../Button.tsx'
import { EmptyState } from '../../States.tsx'
import type { FilterField } from './fields.ts'
import type { TableState } from './table-state.ts'

interface NothingFoundProps {
  state: TableState
  noun: (count: number) => string
  /** Filters that the reader set. */
  changed: readonly FilterField[]
}

/** Advice for an empty result, depending on search, filters or date range. */
export function NothingFound({ state, noun, changed }: NothingFoundProps) {
  const { t } = useLingui()
  const names = noun(0)
  const filtered = changed.length > 0
  const dated = changed.some(({ id }) => /^from|Date$|days/i.test(id))
  return (
    <EmptyState
      title={t`No ${names} here`}
      action={
        state.question.search && (
          <Button onClick={() => state.setSearch('')}>
            <Trans>Clear the search</Trans>
          </Button>
        )
      }
    >
      {state.question.search ? (
        filtered ? (
          <Trans>Nothing matches this search and these filters. Check the spelling, or search for less.</Trans>
        ) : (
          <Trans>Nothing matches this search. Check the spelling, or search for less.</Trans>
        )
      ) : dated ? (
        <Trans>Nothing matches these filters. Take one away, or widen the dates.</Trans>
      ) : filtered ? (
        <Trans>Nothing matches these filters. Take one away.</Trans>
      ) : (
        <Trans>They appear here as soon as there are any.</Trans>
      )}
    </EmptyState>
  )
}
