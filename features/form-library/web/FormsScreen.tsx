import { Trans, useLingui } from '@lingui/react/macro'
import { FilePlus2, FolderOpen } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { ButtonOf } from '../../../shared/machine.ts'
import { sizeLabel, typeLabel } from '../../../shared/file-types.ts'
import { call, sentenceOf } from '../../../web/call.ts'
import { shortDay } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { setQuery } from '../../../web/go.ts'
import { reload } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { DataTable } from '../../../web/ui/office/DataTable.tsx'
import type { TableColumn } from '../../../web/ui/office/table/column.ts'
import { type TableQuestion, useTableState } from '../../../web/ui/office/table/table-state.ts'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StateBadge, StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { assignForm, changeFormStatus, downloadForm, formsCsv, listForms, removeForm, showForm } from '../contract.ts'
import { formStates } from '../states.ts'
import { formCategories, type FormCategory } from '../rules.ts'
import { AddForm } from './AddForm.tsx'
import { AssignSlideOut } from './AssignSlideOut.tsx'
import { EditForm } from './EditForm.tsx'
import { type Filter, FormFilters } from './FormFilters.tsx'
import { FormSlideOut } from './FormSlideOut.tsx'
import { type FormRow, numberOf } from './form.ts'

/** What stands in the address, as the call takes it. */
const asked = ({ search, sort, direction, cursor, pageSize, filters }: TableQuestion<Filter>) => ({
  ...{ search, direction, cursor, pageSize, sort: sort === 'changed' ? ('changed' as const) : ('title' as const) },
  filters: {
    category: (formCategories as readonly string[]).includes(filters.category)
      ? (filters.category as FormCategory)
      : undefined,
    status: formStates.names.find((name) => name === filters.status),
    company: numberOf(filters.company) ?? undefined,
    has: filters.has === 'yes' || filters.has === 'no' ? (filters.has as 'yes' | 'no') : undefined,
  },
})

/** The platform's library of forms, which towns copy from (specification 2.4). */
export default function FormsScreen() {
  const { t } = useLingui()
  const state = useTableState<Filter>({
    ...{ sort: 'title', direction: 'asc' },
    filters: { category: '', status: '', company: '', has: '' },
  })
  const { filters, search } = state.question
  const company = numberOf(filters.company)
  const columns = useColumns(company !== null)
  const [removed, setRemoved] = useState<FormRow | null>(null)
  const mayAdd = may('manage_others_forms', 'create')
  const adding = useQueryParam('add') !== null && mayAdd
  const [shown, edited] = [numberOf(useQueryParam('form')), numberOf(useQueryParam('edit'))]
  const assigned = numberOf(useQueryParam('assign'))
  const untouched = !search && Object.values(filters).every((value) => value === '')

  const act = async (work: () => Promise<{ message: string }>) => {
    try {
      toast((await work()).message)
    } catch (error) {
      toast(sentenceOf(error), 'danger')
    }
    await Promise.all([reload(listForms), reload(showForm)])
  }
  const move = ({ id }: FormRow, event: ButtonOf<typeof formStates>) =>
    void act(() => call(changeFormStatus, { templateId: id, event }))
  const assign = ({ id }: FormRow) =>
    company === null
      ? setQuery({ assign: String(id) })
      : void act(() => call(assignForm, { templateId: id, add: [company] }))
  const unassign = ({ id }: FormRow) => {
    if (company !== null) void act(() => call(assignForm, { templateId: id, remove: [company] }))
  }
  const save = (work: Promise<void>) => void work.catch((error: unknown) => toast(sentenceOf(error), 'danger'))
  const addButton = (
    <Button look="primary" icon={FilePlus2} onClick={() => setQuery({ add: '1' })}>
      <Trans>Add Form</Trans>
    </Button>
  )
  return (
    <>
      <DataTable
        // With a company there is one column more, and others make room for it.
        name={company === null ? 'form-library' : 'form-library-of-company'}
        title={t`Forms and Documents`}
        state={state}
        queryKey={[listForms.path]}
        load={(question: TableQuestion<Filter>, signal) => call(listForms, asked(question), signal && { signal })}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ title }) => title}
        noun={(n) => (n === 1 ? t`form` : t`forms`)}
        actions={{
          edit: ({ id }) => setQuery({ edit: String(id) }),
          download: ({ id }) => save(download(downloadForm, { templateId: id })),
          remove: setRemoved,
          assign,
          unassign,
          activate: (row) => move(row, 'activate'),
          inactivate: (row) => move(row, 'inactivate'),
        }}
        onRow={({ id }) => setQuery({ form: String(id) })}
        onExport={(question) => download(formsCsv, asked(question))}
        headActions={mayAdd && addButton}
        filters={<FormFilters state={state} />}
        {...(untouched && {
          empty: (
            <EmptyState icon={FolderOpen} title={t`No forms yet`} action={mayAdd && addButton}>
              <Trans>Add the first form. Municipalities that you assign it to can offer it to their residents.</Trans>
            </EmptyState>
          ),
        })}
      >
        {company !== null && (
          <p className="mb-4">
            <Link className="link" to={`/admin/${company}/company/information`}>
              <Trans>Back to the company's information</Trans>
            </Link>
          </p>
        )}
      </DataTable>
      {adding && <AddForm onClose={() => setQuery({ add: null })} />}
      {shown !== null && edited === null && assigned === null && (
        <FormSlideOut id={shown} onClose={() => setQuery({ form: null })} />
      )}
      {edited !== null && <EditForm id={edited} onClose={() => setQuery({ edit: null })} />}
      {assigned !== null && edited === null && (
        <AssignSlideOut id={assigned} onClose={() => setQuery({ assign: null })} />
      )}
      {removed && (
        <ConfirmDialog
          danger
          title={t`Remove ${removed.title}?`}
          confirmLabel={t`Remove the form`}
          onConfirm={() => {
            setRemoved(null)
            void act(() => call(removeForm, { templateId: removed.id }))
          }}
          onClose={() => setRemoved(null)}
        >
          <Trans>Its file goes with it, in all versions. No municipality ever had this form.</Trans>
        </ConfirmDialog>
      )}
    </>
  )
}

function useColumns(ofCompany: boolean): readonly TableColumn<FormRow>[] {
  const { t } = useLingui()
  return useMemo(
    () => [
      {
        ...{ id: 'title', header: t`Title`, sort: 'title', primary: true },
        cell: ({ title }: FormRow) => <strong className="inline-block min-w-40 whitespace-normal">{title}</strong>,
      },
      ...(ofCompany
        ? [
            {
              ...{ id: 'assigned', header: t`Assigned` },
              cell: ({ assigned }: FormRow) => (
                <StatusBadge kind={assigned ? 'good' : 'neutral'}>
                  {assigned ? t`Assigned` : t`Not assigned`}
                </StatusBadge>
              ),
            },
          ]
        : []),
      {
        ...{ id: 'category', header: t`Category` },
        cell: ({ category }) => <span className="inline-block min-w-20 whitespace-normal">{category}</span>,
        groupBy: ({ category }) => category,
      },
      { id: 'version', header: t`Version`, align: 'end', cell: ({ version }) => version },
      { id: 'type', header: t`Type`, hidden: true, cell: ({ contentType }) => typeLabel(contentType) },
      { id: 'size', header: t`Size`, align: 'end', hidden: ofCompany, cell: ({ bytes }) => sizeLabel(bytes) },
      {
        id: 'towns',
        header: t`Companies`,
        align: 'end',
        hidden: ofCompany,
        cell: ({ towns }) => towns.toLocaleString('en-US'),
      },
      {
        id: 'changed',
        header: t`Changed`,
        sort: 'changed',
        sortFirst: 'desc',
        cell: ({ changedAt }) => shortDay(changedAt),
      },
      { id: 'by', header: t`Changed by`, hidden: true, cell: ({ changedBy }) => changedBy },
      {
        ...{ id: 'status', header: t`Status` },
        cell: ({ status }: FormRow) => <StateBadge of={formStates} state={status} />,
      },
    ],
    [t, ofCompany],
  )
}
