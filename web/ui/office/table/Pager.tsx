import { Trans, useLingui } from '@lingui/react/macro'
import { COUNT_CAP, PAGE_SIZES } from '../../../../shared/table.ts'
import { Select } from '../../Choice.tsx'
import { Pagination } from '../../Page.tsx'
import type { TableData } from './column.ts'
import { rememberPageSize } from './page-size.ts'
import type { TableState } from './table-state.ts'

interface PagerProps {
  data: Pick<TableData<unknown>, 'next' | 'previous'>
  page: number
  pages: number
  /** True if there may be more pages than were counted. */
  capped?: boolean
  label?: string
  turnPage: TableState['turnPage']
}

/** Previous and next buttons, which use cursors. The page numbers are only shown to the reader. */
export function Pager({ data, page, pages, capped, label, turnPage }: PagerProps) {
  if (!data.next && !data.previous) return null
  return (
    <Pagination
      label={label}
      onPrevious={data.previous ? () => turnPage(page <= 2 ? null : data.previous, page - 1) : null}
      onNext={data.next ? () => turnPage(data.next, page + 1) : null}
    >
      {capped ? (
        <Trans>
          Page {page} of {pages} or more
        </Trans>
      ) : (
        <Trans>
          Page {Math.min(page, pages)} of {pages}
        </Trans>
      )}
    </Pagination>
  )
}

/** Controls below the table: its pages and the page size. */
export function TableFoot({ data, state }: { data: TableData<unknown>; state: TableState }) {
  const { t } = useLingui()
  const { question, page, turnPage, setPageSize } = state
  // Until the count is known, the code assumes one more page if a next cursor exists.
  const count = data.count ?? (page + (data.next ? 1 : 0)) * question.pageSize
  const capped = data.count === null || count >= COUNT_CAP
  const pages = Math.max(1, Math.ceil(count / question.pageSize), capped ? page : 1)
  if (!data.groups && count <= PAGE_SIZES[0]) return null
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 print:hidden">
      <div>{!data.groups && <Pager data={data} page={page} pages={pages} capped={capped} turnPage={turnPage} />}</div>
      <Select
        className="flex-row! items-center gap-2!"
        label={<Trans>Rows</Trans>}
        value={question.pageSize}
        onChange={({ target }) => {
          rememberPageSize(Number(target.value))
          setPageSize(Number(target.value))
        }}
        options={PAGE_SIZES.map((size) => ({ value: size, label: t`${size} per page` }))}
      />
    </div>
  )
}
