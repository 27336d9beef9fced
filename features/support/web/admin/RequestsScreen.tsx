import { useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import type { AnswerOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { useUnread } from '../../../../web/cases/read.ts'
import { UnreadMark } from '../../../../web/cases/UnreadMark.tsx'
import { shortInstant } from '../../../../web/clock.ts'
import { download } from '../../../../web/download.ts'
import { setQuery } from '../../../../web/go.ts'
import { useAnswer } from '../../../../web/query.ts'
import { useQueryParam } from '../../../../web/routes.tsx'
import { DataTable } from '../../../../web/ui/office/DataTable.tsx'
import { EmailText } from '../../../../web/ui/office/EmailText.tsx'
import type { TableColumn } from '../../../../web/ui/office/table/column.ts'
import { type TableQuestion, useTableState } from '../../../../web/ui/office/table/table-state.ts'
import { StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { supportCase, supportRequests, supportRequestsCsv } from '../../contract.ts'
import { type Category, categories, type Status, statuses, statusKinds } from '../../rules.ts'
import { Assignee } from './Assignee.tsx'
import { RequestFilters, type Filter } from './RequestFilters.tsx'
import { RequestSlideOut } from './RequestSlideOut.tsx'
import { useFreshRequests } from './fresh-requests.ts'

type Request = AnswerOf<typeof supportRequests>['rows'][number]

const idIn = (text: string): number | undefined => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined)

const whose = ['me', 'nobody'] as const

/** What stands in the address, as the call takes it. */
const asked = ({ sort, filters, ...question }: TableQuestion<Filter>) => ({
  ...question,
  sort: sort === 'activity' ? ('activity' as const) : ('date' as const),
  filters: {
    companyId: idIn(filters.companyId),
    status:
      filters.status === 'open'
        ? ('open' as const)
        : filters.status in statuses
          ? (Number(filters.status) as Status)
          : undefined,
    assignee: whose.find((name) => name === filters.assignee) ?? idIn(filters.assignee),
    category: filters.category in categories ? (filters.category as Category) : undefined,
    fromDate: filters.fromDate || undefined,
    toDate: filters.toDate || undefined,
  },
})

/** What people ask the support, from all towns; those that are open unless others are asked for. */
export default function RequestsScreen() {
  const { t } = useLingui()
  const state = useTableState<Filter>({
    sort: 'date',
    filters: { companyId: '', status: 'open', assignee: '', category: '', fromDate: '', toDate: '' },
  })
  const columns = useColumns()
  const { data } = useAnswer(supportCase.assignees, {})
  const people = data?.people ?? []
  const [companyId, requestId] = (useQueryParam('request') ?? '').split('.').map(idIn)
  const open = ({ companyId: company, id }: Request) => setQuery({ request: `${company}.${id}` })
  useFreshRequests()
  return (
    <>
      <DataTable
        name="support"
        title={t`Support Requests`}
        state={state}
        queryKey={[supportRequests.path]}
        load={(question, signal) => call(supportRequests, asked(question), signal && { signal })}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ number }) => number}
        noun={(n) => (n === 1 ? t`request` : t`requests`)}
        searchLabel={t`Number, name, email or text`}
        actions={{ view: open }}
        onRow={open}
        onExport={(question) => download(supportRequestsCsv, asked(question))}
        filters={<RequestFilters state={state} people={people} />}
      />
      {companyId !== undefined && requestId !== undefined && (
        <RequestSlideOut
          key={requestId}
          companyId={companyId}
          id={requestId}
          onClose={() => setQuery({ request: null })}
        />
      )}
    </>
  )
}

function useColumns(): readonly TableColumn<Request>[] {
  const { t } = useLingui()
  const unread = useUnread(supportCase)
  return useMemo(
    () => [
      {
        id: 'number',
        header: t`Number`,
        primary: true,
        cell: ({ number, companyId, id }) => (
          <>
            <strong>{number}</strong>
            <UnreadMark count={unread.get(`${companyId}.${id}`)} />
          </>
        ),
      },
      {
        ...{ id: 'date', header: t`Received`, sort: 'date', sortFirst: 'desc' },
        cell: ({ at }) => <span className="inline-block whitespace-normal md:min-w-28">{shortInstant(at)}</span>,
      },
      {
        id: 'about',
        header: t`About`,
        cell: ({ category, subject }) => (
          <span className="inline-block whitespace-normal wrap-anywhere md:min-w-52">
            <strong>{categories[category]}</strong>
            <br />
            <span className="text-muted">{subject}</span>
          </span>
        ),
        groupBy: ({ category }) => categories[category],
      },
      {
        id: 'from',
        header: t`From`,
        cell: ({ name, company }) => (
          <span className="inline-block whitespace-normal md:min-w-32">
            {name}
            <br />
            <span className="text-muted">{company}</span>
          </span>
        ),
      },
      {
        ...{ id: 'company', header: t`Company`, hidden: true },
        ...{ cell: ({ company }) => company, groupBy: ({ company }) => company },
      },
      { id: 'email', header: t`Email`, hidden: true, cell: ({ email }) => <EmailText text={email} /> },
      {
        id: 'status',
        header: t`Status`,
        cell: ({ status, answered }) => (
          <span className="inline-flex flex-col items-start gap-1">
            <StatusBadge kind={statusKinds[status]}>{statuses[status]}</StatusBadge>
            {answered === 'wrote again' && status !== 2 && status !== 4 && (
              <span className="text-sm">{t`Wrote again`}</span>
            )}
          </span>
        ),
        groupBy: ({ status }) => statuses[status],
      },
      {
        id: 'assignee',
        header: t`Assigned to`,
        cell: ({ assignee, department }) => (
          <span className="whitespace-normal">
            <Assignee assignee={assignee} department={department} />
          </span>
        ),
        groupBy: ({ assignee, department }) => assignee?.name ?? department ?? t`Nobody`,
      },
      {
        ...{ id: 'activity', header: t`Last activity`, sort: 'activity', sortFirst: 'desc', hidden: true },
        cell: ({ updatedAt }) => shortInstant(updatedAt),
      },
    ],
    [t, unread],
  )
}
