import { Trans, useLingui } from '@lingui/react/macro'
import { FilePlus2, FolderOpen } from 'lucide-react'
import { useState } from 'react'
import type { ButtonOf } from '../../../shared/machine.ts'
import { sizeLabel } from '../../../shared/file-types.ts'
import { companyFilter } from '../../../web/admin/CompanySelect.tsx'
import { call, messageOf } from '../../../web/call.ts'
import { shortDay } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { reload } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StateBadge, StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { companiesInformation } from '../../../shared/companies.ts'
import { assignForm, changeFormStatus, downloadForm, removeForm, showForm } from '../contract.ts'
import { forms } from '../list.ts'
import { formStates } from '../states.ts'
import { AddForm } from './AddForm.tsx'
import { AssignSlideOut } from './AssignSlideOut.tsx'
import { EditForm } from './EditForm.tsx'
import { FormSlideOut } from './FormSlideOut.tsx'
import { type FormRow, numberOf } from './form.ts'

const BackToCompany = ({ id }: { id: number }) => (
  <p className="mb-4">
    <Link className="link" to={`/admin/${id}/company/information`}>
      <Trans>Back to company information</Trans>
    </Link>
  </p>
)

/** The platform's library of form templates, which companies copy (spec 2.4). */
export default function FormsScreen() {
  const { t } = useLingui()
  const company = numberOf(useQueryParam('company'))
  const [removed, setRemoved] = useState<FormRow | null>(null)
  const mayAdd = may('manage_others_forms', 'create')
  const adding = useQueryParam('add') !== null && mayAdd
  const [viewed, edited] = [numberOf(useQueryParam('form')), numberOf(useQueryParam('edit'))]
  const assigned = numberOf(useQueryParam('assign'))

  const act = async (work: () => Promise<{ message: string }>) => {
    try {
      toast((await work()).message)
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    await Promise.all([reload(forms.call), reload(showForm)])
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
  const save = (work: Promise<void>) => void work.catch((error: unknown) => toast(messageOf(error), 'danger'))
  const addButton = (
    <Button variant="primary" icon={FilePlus2} onClick={() => setQuery({ add: '1' })}>
      <Trans>Add form</Trans>
    </Button>
  )
  return (
    <>
      <ListScreen
        of={forms}
        rowName={({ title }) => title}
        // Some columns are shown only with a company filter, others only without it.
        without={({ company }) => (company ? ['assignedCount', 'bytes'] : ['assigned', 'has'])}
        filters={{ company: companyFilter(companiesInformation, 'md:w-52', 224) }}
        cells={{
          title: ({ title }) => <strong>{title}</strong>,
          bytes: ({ bytes }) => sizeLabel(bytes),
          assigned: ({ assigned }) => (
            <StatusBadge kind={assigned ? 'good' : 'neutral'}>{assigned ? t`Assigned` : t`Not assigned`}</StatusBadge>
          ),
          changedAt: ({ changedAt }) => shortDay(changedAt),
          status: ({ status }) => <StateBadge of={formStates} state={status} />,
        }}
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
        headActions={mayAdd && addButton}
        empty={
          <EmptyState icon={FolderOpen} title={t`No forms yet`} action={mayAdd && addButton}>
            <Trans>Add the first form and assign it to companies. They can offer the form to their residents.</Trans>
          </EmptyState>
        }
      >
        {company !== null && <BackToCompany id={company} />}
      </ListScreen>
      {adding && <AddForm onClose={() => setQuery({ add: null })} />}
      {viewed !== null && edited === null && assigned === null && (
        <FormSlideOut id={viewed} onClose={() => setQuery({ form: null })} />
      )}
      {edited !== null && <EditForm id={edited} onClose={() => setQuery({ edit: null })} />}
      {assigned !== null && edited === null && (
        <AssignSlideOut id={assigned} onClose={() => setQuery({ assign: null })} />
      )}
      {removed && (
        <ConfirmDialog
          danger
          title={t`Remove ${removed.title}?`}
          confirmLabel={t`Remove form`}
          onConfirm={() => {
            setRemoved(null)
            void act(() => call(removeForm, { templateId: removed.id }))
          }}
          onClose={() => setRemoved(null)}
        >
          <Trans>All versions of this form’s file will be deleted. The form was never assigned to a company.</Trans>
        </ConfirmDialog>
      )}
    </>
  )
}
