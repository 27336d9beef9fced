import { Trans, useLingui } from '@lingui/react/macro'
import { FileText, Plus } from 'lucide-react'
import { formatCents } from '../../../../shared/money.ts'
import { translated } from '../../../../shared/messages.ts'
import { setQuery } from '../../../../web/go.ts'
import { ListScreen } from '../../../../web/list/ListScreen.tsx'
import { useQueryParam } from '../../../../web/routes.tsx'
import { may } from '../../../../web/session.ts'
import { Button, LinkButton } from '../../../../web/ui/Button.tsx'
import { EmptyState } from '../../../../web/ui/States.tsx'
import { StateBadge } from '../../../../web/ui/StatusBadge.tsx'
import { recordActions, RecordButtons, RecordPanels } from '../../../shared-records/web/parts/SharedRecords.tsx'
import { showFormType } from '../../contract.ts'
import { formTypes } from '../../list.ts'
import { feeKinds } from '../../rules.ts'
import { formTypeStates } from '../../states.ts'
import { copyForm } from './copy-form.ts'
import { AddType, EditType } from './TypeForm.tsx'
import { TypeSlideOut } from './TypeSlideOut.tsx'

/** Screen with the company's forms, which staff create here (spec 2.3). */
export default function TypesScreen() {
  const { t } = useLingui()
  const id = Number(useQueryParam('form')) || 0
  const work = useQueryParam('work')
  const mayAdd = may('forms', 'create')
  const open = (typeId: number, what: string | null = null) => setQuery({ form: String(typeId), work: what })
  const close = () => setQuery({ form: null, work: null })
  const add = mayAdd && (
    <Button variant="primary" icon={Plus} onClick={() => setQuery({ work: 'add' })}>
      <Trans>Add form</Trans>
    </Button>
  )
  return (
    <>
      <ListScreen
        of={formTypes}
        rowName={({ title }) => title}
        cells={{
          title: ({ title }) => <strong>{title}</strong>,
          fee: ({ fee, feeCents }) => (fee === 'fixed' ? formatCents(feeCents ?? 0) : translated(feeKinds[fee])),
          status: ({ status }) => <StateBadge of={formTypeStates} state={status} />,
        }}
        actions={{
          view: (row) => open(row.id),
          edit: (row) => open(row.id, 'edit'),
          copy: copyForm,
          ...recordActions('form'),
        }}
        onRow={(row) => open(row.id)}
        headActions={
          <>
            {add}
            <LinkButton to="/municipality/reports/forms-and-docs">
              <Trans>Submissions</Trans>
            </LinkButton>
          </>
        }
        moreActions={<RecordButtons kind="form" />}
        empty={
          <EmptyState icon={FileText} title={t`No forms yet`} action={add}>
            <Trans>
              Build a form for residents, such as a permit, a license or a request. You do not need programming skills.
            </Trans>
          </EmptyState>
        }
      />
      <RecordPanels kind="form" lists={[formTypes.call, showFormType]} />
      {work === 'add' && mayAdd && <AddType onClose={close} />}
      {id > 0 && work === null && <TypeSlideOut id={id} onClose={close} />}
      {id > 0 && work === 'edit' && <EditType id={id} onClose={() => setQuery({ work: null })} />}
    </>
  )
}
