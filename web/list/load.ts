import type { AnswerOf } from '../../shared/endpoint.ts'
import type { Column, List } from '../../shared/list.ts'
import { call, refuseUnasked } from '../call.ts'
import { queries } from '../query.ts'
import type { TableData } from '../ui/office/table/column.ts'
import type { TableQuestion } from '../ui/office/table/table-state.ts'
import { groupLabel, totalsOf } from './columns.tsx'
import { usualDays } from './DaysFilter.tsx'

/** What goes into the body beside the question: which town is meant, where the host does not say it. */
export type About = Readonly<Record<string, unknown>>

type Answer = AnswerOf<List['call']>
/** How many there are, and what they come to: the same for every page of a question. */
type Sums = { count: number; totals: Answer['totals'] }

/** What stands in the address, as the call takes it: what could not have been chosen is left out. */
export function asked(list: List, about: About, { filters, addAll: _addAll, ...question }: TableQuestion) {
  const known = Object.entries(filters).flatMap(([name, value]) => {
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
    // The address may leave out what the list can't be without.
    filters: { ...(list.days?.needed && usualDays(list)), ...Object.fromEntries(known) } as Record<string, unknown>,
  }
}

/** Time after which rows are asked for without their totals, which may take long where very many match. */
const PATIENCE_MS = 200
const after = (ms: number) => new Promise<'late'>((resolve) => setTimeout(resolve, ms, 'late'))

/**
 * A page of a list, or the groups of all that match. Count and totals are asked for with the first page and kept while
 * the reader turns to others, until something changes and all that is known of the list is forgotten.
 * @param early gets the rows before count and totals are there, if those take long
 */
export async function loadList<Row>(
  list: List,
  about: About,
  question: TableQuestion,
  signal: AbortSignal | undefined,
  early?: (rows: TableData<Row, Answer['totals']>) => void,
): Promise<TableData<Row, Answer['totals']>> {
  await refuseUnasked(list.call)
  const body = asked(list, about, question)
  const key = [list.path, 'sums', about, body.search, body.filters]
  const kept = queries.getQueryState<Sums>(key)
  // The rows of one group: what that comes to is known with the groups.
  const isPart = body.group?.value !== undefined
  const known = isPart
    ? { count: 0, totals: null }
    : question.cursor && kept && !kept.isInvalidated && !question.addAll
      ? kept.data
      : undefined
  const ask = (totals: boolean) =>
    call(
      list.call as never,
      { ...body, totals: totals && question.addAll ? 'all' : totals } as never,
      signal && { signal },
    ) as Promise<Answer>
  const pageOf = ({ rows, next, previous }: Answer) => ({ rows: rows as unknown as readonly Row[], next, previous })
  const whole = ask(known === undefined)
  if (early && known === undefined && !body.group && (await isLate(whole))) {
    let isWhole = false
    whole.then(
      () => (isWhole = true),
      () => {},
    )
    // What goes wrong is told by the whole answer.
    void ask(false).then(
      (answer) => !isWhole && early({ ...pageOf(answer), count: null, totals: null }),
      () => {},
    )
  }
  const answer = await whole
  const page = pageOf(answer)
  if (known) return { ...page, ...known }
  if (answer.count === null) throw new Error('count and totals were asked for')
  const sums: Sums = { count: answer.count, totals: answer.totals }
  queries.setQueryData<Sums>(key, sums)
  const by = list.columns[body.group?.by ?? ''] as Column | undefined
  const groups = by
    ? (answer.groups ?? []).map(({ value, count, totals }) => ({
        value,
        count,
        label: groupLabel(by, value),
        totals: totalsOf(list, totals),
      }))
    : null
  return { ...page, ...sums, groups }
}

const isLate = async (answer: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([answer.then(String, String), after(PATIENCE_MS)])) === 'late'
