import { Trans, useLingui } from '@lingui/react/macro'
import { Mail } from 'lucide-react'
import { useMemo } from 'react'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { boot } from '../../../web/boot.ts'
import { call } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { setQuery } from '../../../web/go.ts'
import { NotFound } from '../../../web/NotFound.tsx'
import { useQueryParam } from '../../../web/routes.tsx'
import { DataTable } from '../../../web/ui/office/DataTable.tsx'
import type { TableColumn } from '../../../web/ui/office/table/column.ts'
import { type TableQuestion, useTableState } from '../../../web/ui/office/table/table-state.ts'
import { EmptyState } from '../../../web/ui/States.tsx'
import { outboxMails } from '../contract.ts'
import { MailSlideOut } from './MailSlideOut.tsx'

type Row = AnswerOf<typeof outboxMails>['rows'][number]

/** Which mail is open: `101.12`, the town's id and the mail's. */
const keyOf = ({ companyId, id }: Row) => `${companyId}.${id}`

const read = (key: string | null) => {
  const [, companyId, mailId] = /^(\d{1,9})\.(\d{1,15})$/.exec(key ?? '') ?? []
  return companyId && mailId ? { companyId: Number(companyId), mailId: Number(mailId) } : null
}

const open = (row: Row) => setQuery({ mail: keyOf(row) })

/** What the towns of the demo mailed, which nobody is sent. */
export default function OutboxScreen() {
  if (!boot.demo) return <NotFound home="/admin" />
  return <Outbox />
}

function Outbox() {
  const { t } = useLingui()
  const state = useTableState({ sort: 'date' })
  const columns = useColumns()
  const chosen = read(useQueryParam('mail'))
  return (
    <>
      <DataTable
        name="outbox"
        title={t`Outbox`}
        state={state}
        queryKey={[outboxMails.path]}
        load={load}
        columns={columns}
        rowKey={keyOf}
        rowName={({ subject }) => subject}
        noun={(n) => (n === 1 ? t`mail` : t`mails`)}
        searchLabel={t`Search`}
        actions={{ view: open }}
        onRow={open}
        {...(!state.question.search && { empty: <NothingYet /> })}
      />
      {chosen && <MailSlideOut {...chosen} onClose={() => setQuery({ mail: null })} />}
    </>
  )
}

const load = ({ search, direction, cursor, pageSize }: TableQuestion<never>, signal?: AbortSignal) =>
  call(outboxMails, { search, direction, cursor, pageSize }, signal && { signal })

const NothingYet = () => (
  <EmptyState icon={Mail} title={<Trans>No mail yet</Trans>}>
    <Trans>What the towns mail, such as the receipt of a payment, is kept here to be read.</Trans>
  </EmptyState>
)

function useColumns(): readonly TableColumn<Row>[] {
  const { t } = useLingui()
  return useMemo(
    () => [
      { id: 'date', header: t`Time`, sort: 'date', sortFirst: 'desc', cell: ({ at }) => shortInstant(at) },
      {
        id: 'subject',
        header: t`Subject`,
        primary: true,
        cell: ({ subject }) => <span className="inline-block min-w-40 whitespace-normal">{subject}</span>,
      },
      { id: 'to', header: t`To`, cell: ({ to }) => <span className="wrap-anywhere">{to}</span> },
      { id: 'town', header: t`Town`, cell: ({ town }) => town },
    ],
    [t],
  )
}
