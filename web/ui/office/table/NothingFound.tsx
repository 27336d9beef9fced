import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '../../Button.tsx'
import { EmptyState } from '../../States.tsx'
import type { TableState } from './table-state.ts'

interface NothingFoundProps {
  state: TableState
  noun: (count: number) => string
  /** The list can be narrowed by more than a search. */
  filtered: boolean
}

/** Advises on what the list has: a search, filters, a range of days, or none of them. */
export function NothingFound({ state, noun, filtered }: NothingFoundProps) {
  const { t } = useLingui()
  const names = noun(0)
  const dated = Object.keys(state.question.filters).some((name) => /^from|Date$/i.test(name))
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
