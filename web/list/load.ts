import type { ResponseOf } from '../../shared/endpoint.ts'
import type { Column, List } from '../../shared/list.ts'
import { call, refuseIfNotPermitted } from '../call.ts'
import { queries } from '../query.ts'
import type { TableData } from '../ui/office/table/column.ts'
import type { TableQuestion } from '../ui/office/table/table-state.ts'
import { groupLabel, totalsOf } from './columns.tsx'
import { usualDays } from './DaysFilter.tsx'

/**
 * Parameters of the request body in addition to the query, such as the company if it cannot be derived from the host.
 */
export type ListParameters = Readonly<Record<string, unknown>>

type ListCallResponse = ResponseOf<List['call']>
/** Count and totals, which apply to every page of a query. */
type Sums = { count: number; totals: ListCallResponse['totals'] }

/** Converts the URL's query to a request body. Leaves out unknown filters and invalid values. */
export function requestBodyOf(
  list: List,
  about: ListParameters,
  { filters, addAll: _addAll, ...question }: TableQuestion,
) {
  const filterEntries = Object.entries(filters).flatMap(([name, value]) => {
    if (value === '') return []
    if (name === 'fromDate' || name === 'toDate') return list.days ? [[name, value]] : []
    const filter = list.filters[name]
    if (!filter) return []
    const typed = filter.kind === 'flag' ? [value === '1'] : /^\d{1,15}$/.test(value) ? [Number(value), value] : [value]
    const fitting = typed.find((one) => filter.value.safeParse(one).success)
    return fitting === undefined ? [] : [[name, fitting]]
  })
  return {
    ...about,
    ...question,
    sort: list.sorts.includes(question.sort) ? question.sort : list.usualSort,
    // If the list requires a date range and the URL has none, the default range applies.
    filters: { ...(list.days?.needed && usualDays(list)), ...Object.fromEntries(filterEntries) } as Record<
      string,
      unknown
    >,
  }
}

/** Delay before an extra request for rows without totals, in milliseconds. Totals may be slow if many rows match. */
const TOTALS_DELAY_MS = 200
const after = (ms: number) => new Promise<'late'>((resolve) => setTimeout(resolve, ms, 'late'))

/**
 * Loads a page of a list, or the groups of all matches. Count and totals are requested with the first page. Other pages
 * reuse them until a change clears the cache.
 * @param early receives the rows before count and totals, if those take long
 */
export async function loadList<Row>(
  list: List,
  about: ListParameters,
  question: TableQuestion,
  signal: AbortSignal | undefined,
  early?: (rows: TableData<Row, ListCallResponse['totals']>) => void,
): Promise<TableData<Row, ListCallResponse['totals']>> {
  await refuseIfNotPermitted(list.call)
  const body = requestBodyOf(list, about, question)
  const key = [list.path, 'sums', about, body.search, body.filters]
  const stored = queries.getQueryState<Sums>(key)
  // The rows of one group need no totals, because the totals are loaded with the groups.
  const isPart = body.group?.value !== undefined
  const loaded = isPart
    ? { count: 0, totals: null }
    : question.cursor && stored && !stored.isInvalidated && !question.addAll
      ? stored.data
      : undefined
  const load = (totals: boolean) =>
    call(
      list.call as never,
      { ...body, totals: totals && question.addAll ? 'all' : totals } as never,
      signal && { signal },
    ) as Promise<ListCallResponse>
  const pageOf = ({ rows, next, previous }: ListCallResponse) => ({
    rows: rows as unknown as readonly Row[],
    next,
    previous,
  })
  const whole = load(loaded === undefined)
  if (early && loaded === undefined && !body.group && (await isLate(whole))) {
    let isWhole = false
    whole.then(
      () => (isWhole = true),
      () => {},
    )
    // Ignores errors of the request without totals, because the full request reports them.
    void load(false).then(
      (response) => !isWhole && early({ ...pageOf(response), count: null, totals: null }),
      () => {},
    )
  }
  const response = await whole
  const page = pageOf(response)
  if (loaded) return { ...page, ...loaded }
  if (response.count === null) throw new Error('count and totals were asked for')
  const sums: Sums = { count: response.count, totals: response.totals }
  queries.setQueryData<Sums>(key, sums)
  const by = list.columns[body.group?.by ?? ''] as Column | undefined
  const groups = by
    ? (response.groups ?? []).map(({ value, count, totals }) => ({
        value,
        count,
        label: groupLabel(by, value, body.group?.unit),
        totals: totalsOf(list, totals),
      }))
    : null
  return { ...page, ...sums, groups }
}

const isLate = async (response: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([response.then(String, String), after(TOTALS_DELAY_MS)])) === 'late'
