import { Trans, useLingui } from '@lingui/react/macro'
import { UserPlus } from 'lucide-react'
import { call, messageOf } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { reload, useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { EmailText } from '../../../web/ui/office/EmailText.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { accountStates } from '../../../shared/account-states.ts'
import { MemberSlideOut } from './MemberSlideOut.tsx'
import { PlatformSignInRules } from './PlatformSignInRules.tsx'
import { EditPerson, InvitePerson } from './PersonForm.tsx'
import { type Department, fullName, type StaffScope } from './staff-scope.ts'
import { Code } from '../../../web/ui/Text.tsx'

const numberOf = (text: string | null): number | null => (text && /^\d{1,15}$/.test(text) ? Number(text) : null)

/** List of staff with search, invitation and editing. */
export function StaffTable({ scope }: { scope: StaffScope }) {
  const { calls, about } = scope
  const mayInvite = may('user_management', 'create')
  const departments = useResponse(calls.departments, about, { enabled: may('department_management', 'view') })
  const adding = useQueryParam('add') !== null && mayInvite
  const [viewedId, editedId] = [numberOf(useQueryParam('person')), numberOf(useQueryParam('edit'))]
  const list = departments.data?.departments ?? []

  const activate = async (member: { id: number }) => {
    try {
      toast((await call(calls.changeStatus, { ...about, personId: member.id, step: 'activate' })).message)
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    await reload(calls.list)
  }
  return (
    <>
      <ListScreen
        of={scope.list}
        level={2}
        about={about}
        rowName={fullName}
        without={() => (scope.positions ? [] : ['position'])}
        {...(list.length > 0 && {
          filters: {
            departmentId: {
              field: (value: string, set: (chosen: string) => void) => (
                <DepartmentChoice value={value} onChange={set} departments={list} />
              ),
              labelFor: (value: string) => list.find(({ id }) => String(id) === value)?.name ?? '',
            },
          },
        })}
        cells={{
          email: ({ email }) => <EmailText text={email} />,
          role: ({ role, differs }) => <Role name={role} differs={differs} />,
          status: ({ status }) => <StateBadge of={accountStates} state={status} />,
        }}
        actions={{
          view: ({ id }) => setQuery({ person: String(id) }),
          edit: ({ id }) => setQuery({ edit: String(id) }),
          activate: (member) => void activate(member),
          ...(!scope.positions && { assign: ({ id }: { id: number }) => setQuery({ items: String(id) }) }),
        }}
        onRow={({ id }) => setQuery({ person: String(id) })}
        headActions={
          <>
            {!scope.positions && <PlatformSignInRules />}
            {mayInvite && (
              <Button variant="primary" icon={UserPlus} onClick={() => setQuery({ add: '1' })}>
                <Trans>Invite staff member</Trans>
              </Button>
            )}
          </>
        }
      />
      {adding && <InvitePerson scope={scope} departments={list} onClose={() => setQuery({ add: null, as: null })} />}
      {viewedId !== null && editedId === null && (
        <MemberSlideOut scope={scope} id={viewedId} onClose={() => setQuery({ person: null })} />
      )}
      {editedId !== null && (
        <EditPerson scope={scope} departments={list} id={editedId} onClose={() => setQuery({ edit: null })} />
      )}
    </>
  )
}

interface DepartmentChoiceProps {
  value: string
  onChange: (value: string) => void
  departments: readonly Department[]
}

const DepartmentChoice = ({ value, onChange, departments }: DepartmentChoiceProps) => {
  const { t } = useLingui()
  return (
    <Select
      className="md:min-w-48"
      label={<Trans>Department</Trans>}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      options={[
        { value: '', label: t`All departments` },
        ...departments.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  )
}

const Role = ({ name, differs }: { name: string; differs: number }) => (
  <>
    <Code>{name}</Code>
    {differs > 0 && (
      <span className="text-muted text-xs">
        {' '}
        <Trans>with changed privileges</Trans>
      </span>
    )}
  </>
)
