import { useMemo } from 'react'
import type { Grouping } from '../../../../shared/list.ts'
import { PAGE_SIZES } from '../../../../shared/table.ts'
import { setQuery } from '../../../go.ts'
import { useQueryText } from '../../../routes.tsx'
import { usualPageSize } from './page-size.ts'

/** A table's request to the server (see `shared/table.ts`). */
export interface TableQuestion<Filter extends string = string> {
  search: string
  sort: string
  direction: 'asc' | 'desc'
  cursor: string | undefined
  pageSize: number
  /** Filter values from the URL as text. `''` if not set. */
  filters: Record<Filter, string>
  /** Requests all groups, or the rows of one group if `value` is set. */
  group?: Grouping | undefined
  /** True to request the totals of a search with more than `COUNT_CAP` rows. */
  addAll?: true
}

interface Start<Filter extends string> {
  sort: string
  direction?: 'asc' | 'desc'
  /** Default value of each filter. */
  filters?: Record<Filter, string>
}

export interface TableState<Filter extends string = string> {
  question: TableQuestion<Filter>
  /** The grouping column with its period, such as 'receivedAt:month'. '' for none. */
  group: string
  /** Filters that differ from their default. */
  changed: readonly Filter[]
  /** Page number, for display only. The server uses cursors. */
  page: number
  setSearch: (text: string) => void
  setFilters: (values: Partial<Record<Filter, string>>) => void
  setSort: (sort: string, direction: 'asc' | 'desc') => void
  setGroup: (column: string, sort?: string) => void
  setPageSize: (rows: number) => void
  turnPage: (cursor: string | null, page: number) => void
}

/** Query changes that return to the first page, because a changed query must start there. */
const FIRST_PAGE = { cursor: null, page: null }

/** URL value of a filter that staff cleared. Needed if the filter's default value is not empty. */
export const NO_FILTER = '-'

/**
 * Stores the state of a table in the URL, so that it survives a reload and the Back button and people can share it. The
 * screen renders its filters with `state.question.filters` and `state.setFilters`.
 */
export function useTableState<Filter extends string = never>(start: Start<Filter>): TableState<Filter> {
  const text = useQueryText()
  // `start` is a new object literal on every render, so the code compares its content instead of its identity.
  const startText = JSON.stringify(start)
  return useMemo(() => {
    const { sort, direction = 'desc', filters = {} as Record<Filter, string> } = JSON.parse(startText) as Start<Filter>
    const query = new URLSearchParams(text)
    const valueOf = (name: string, usual: string) => {
      const value = query.get(name)
      return value === null ? usual : value === NO_FILTER ? '' : value
    }
    const entries = Object.entries<string>(filters).map(([name, usual]) => [name, valueOf(name, usual)])
    return {
      question: {
        search: query.get('search') ?? '',
        sort: query.get('sort') ?? sort,
        direction: query.get('direction') === 'asc' ? 'asc' : query.get('direction') === 'desc' ? 'desc' : direction,
        cursor: query.get('cursor') ?? undefined,
        pageSize: PAGE_SIZES.find((size) => String(size) === query.get('rows')) ?? usualPageSize(),
        filters: Object.fromEntries(entries) as Record<Filter, string>,
      },
      group: query.get('group') ?? '',
      changed: entries.flatMap(([name, value]) => (value === filters[name as Filter] ? [] : [name as Filter])),
      page: Math.max(1, Math.floor(Number(query.get('page') ?? 1)) || 1),
      setSearch: (search) => setQuery({ ...FIRST_PAGE, search }),
      setFilters: (values) => {
        const written = Object.entries<string | undefined>(values).map(([name, value = '']) => {
          const usual = filters[name as Filter]
          return [name, value === usual ? null : value === '' ? NO_FILTER : value]
        })
        setQuery({ ...FIRST_PAGE, ...(Object.fromEntries(written) as Record<string, string | null>) })
      },
      setSort: (column, direction) => setQuery({ ...FIRST_PAGE, sort: column, direction }),
      setGroup: (group, by) => setQuery({ ...FIRST_PAGE, group, ...(by && { sort: by, direction: 'asc' }) }),
      setPageSize: (rows) => setQuery({ ...FIRST_PAGE, rows: String(rows) }),
      turnPage: (cursor, page) => setQuery({ cursor, page: page <= 1 ? null : String(page) }),
    }
  }, [text, startText])
}
