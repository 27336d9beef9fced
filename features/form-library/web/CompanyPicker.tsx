import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { COUNT_CAP } from '../../../shared/table.ts'
import { call } from '../../../web/call.ts'
import { keyOf, queries } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { Failed, LoadingState } from '../../../web/ui/States.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { formCompanies } from '../list.ts'
import type { Choice, CompanyChoice } from './choice.ts'
import { Code } from '../../../web/ui/Text.tsx'
import type { RowOf } from '../../../shared/list.ts'

/** Pause in typing before the server is queried. */
const TYPING_MS = 300
const PAGE = 50

interface Props {
  id: number
  choice: Choice
  onToggle: (companies: readonly CompanyChoice[], on: boolean) => void
}

/** Company search with a check box for each company found. */
export function CompanyPicker({ id, choice, onToggle }: Props) {
  const { t } = useLingui()
  const {
    text,
    setText,
    has,
    setHas,
    data,
    error,
    isPending,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
    refetch,
  } = useCompanies(id)
  const rows = data?.pages.flatMap((page) => page.rows) ?? []
  const count = data?.pages[0]?.count ?? 0
  const isOn = (row: CompanyChoice) => choice[row.id]?.assigned ?? row.assigned
  const off = rows.filter((row) => !isOn(row))
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-[1fr_11rem]">
        <TextField
          type="search"
          label={<Trans>Find companies</Trans>}
          value={text}
          maxLength={100}
          before={<Search size={16} />}
          onChange={({ target }) => setText(target.value)}
        />
        <Select
          label={<Trans>Show</Trans>}
          value={has}
          onChange={({ target }) => setHas(target.value)}
          options={[
            { value: '', label: t`All companies` },
            { value: 'yes', label: t`Assigned` },
            { value: 'no', label: t`Not assigned` },
          ]}
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p role="status" className="text-muted text-sm">
          {data && <CompanyCount count={count} />}
        </p>
        {off.length > 1 && (
          <Button size="small" onClick={() => onToggle(off, true)}>
            <Trans>Select all {off.length} shown</Trans>
          </Button>
        )}
      </div>
      {isPending && (
        <LoadingState shape="lines" rows={4}>
          <Trans>Loading companies</Trans>
        </LoadingState>
      )}
      {error && !data && <Failed error={error} onRetry={() => void refetch()} />}
      {data && rows.length === 0 && (
        <p className="lots px-3 py-5 text-center text-muted">
          <span className="bg-surface px-2">
            <Trans>No matching companies</Trans>
          </span>
        </p>
      )}
      {rows.length > 0 && (
        <div className="max-h-72 overflow-y-auto rounded-sm border border-line">
          <CompanyRows rows={rows} choice={choice} isOn={isOn} onToggle={onToggle} />
          {hasNextPage && (
            <Button variant="quiet" size="small" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              <Trans>Show more</Trans>
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

/** Loads the companies that match the typed name, page by page. */
function useCompanies(templateId: number) {
  const [text, setText] = useState('')
  const [search, setSearch] = useState('')
  const [has, setHas] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  const question = {
    search,
    pageSize: PAGE,
    filters: { templateId, has: has === 'yes' || has === 'no' ? (has as 'yes' | 'no') : undefined },
  }
  const query = useInfiniteQuery(
    {
      queryKey: [...keyOf(formCompanies.call), 'pages', question],
      queryFn: ({ pageParam, signal }) =>
        call(formCompanies.call, { ...question, ...(pageParam && { cursor: pageParam }) }, { signal }),
      initialPageParam: '',
      getNextPageParam: ({ next }) => next,
      placeholderData: keepPreviousData,
    },
    queries,
  )
  return { ...query, text, setText, has, setHas }
}

const CompanyCount = ({ count }: { count: number }) =>
  count >= COUNT_CAP ? (
    <Trans>{COUNT_CAP.toLocaleString('en-US')} or more companies</Trans>
  ) : count === 1 ? (
    <Trans>1 company</Trans>
  ) : (
    <Trans>{count} companies</Trans>
  )

interface CompanyRowsProps extends Pick<Props, 'choice' | 'onToggle'> {
  rows: readonly RowOf<typeof formCompanies>[]
  isOn: (row: CompanyChoice) => boolean
}

const CompanyRows = ({ rows, choice, isOn, onToggle }: CompanyRowsProps) => (
  <ul>
    {rows.map((row) => (
      <li key={row.id} className="border-line border-b last:border-b-0">
        <label className="flex min-h-9 cursor-pointer items-center gap-3 px-3 py-1 hover:bg-tint has-checked:bg-tint">
          <input
            type="checkbox"
            className="focus-inside size-5 shrink-0"
            checked={isOn(row)}
            onChange={({ target }) => onToggle([row], target.checked)}
          />
          <span className="min-w-0 flex-1 wrap-anywhere">
            <Code>{row.name}</Code> <span className="text-muted text-sm">{row.location}</span>
          </span>
          {choice[row.id] && (
            <span className="shrink-0 font-bold text-link text-xs">
              {isOn(row) ? <Trans>added</Trans> : <Trans>removed</Trans>}
            </span>
          )}
        </label>
      </li>
    ))}
  </ul>
)
