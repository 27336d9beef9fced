import { Trans, useLingui } from '@lingui/react/macro'
import { UserPlus } from 'lucide-react'
import { useMemo } from 'react'
import { call, sentenceOf } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { setQuery } from '../../../web/go.ts'
import { keyOf, reload, useAnswer } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { DataTable } from '../../../web/ui/office/DataTable.tsx'
import { EmailText } from '../../../web/ui/office/EmailText.tsx'
import type { TableColumn } from '../../../web/ui/office/table/column.ts'
import { type TableQuestion, type TableState, useTableState } from '../../../web/ui/office/table/table-state.ts'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { accountStates } from '../../identity/states.ts'
import { townStaffCsv } from '../contract.ts'
import { MemberSlideOut } from './MemberSlideOut.tsx'
import { PlatformSignInRules } from './PlatformSignInRules.tsx'
import { EditPerson, InvitePerson } from './PersonForm.tsx'
import { type Department, fullName, type Member, type Place } from './place.ts'

type Filter = 'status' | 'department'

const asked = ({ search, direction, cursor, pageSize, filters }: TableQuestion<Filter>) => ({
  ...{ search, direction, cursor, pageSize, sort: 'name' as const },
  filters: {
    status: accountStates.names.find((name) => name === filters.status),
    departmentId: /^\d{1,15}$/.test(filters.department) ? Number(filters.department) : undefined,
  },
})

const numberOf = (text: string | null): number | null => (text && /^\d{1,15}$/.test(text) ? Number(text) : null)

/** Who works here: found, invited, changed. */
export function StaffTable({ place }: { place: Place }) {
  const { t } = useLingui()
  const { calls, about } = place
  const state = useTableState<Filter>({ sort: 'name', direction: 'asc', filters: { status: '', department: '' } })
  const columns = useColumns(place)
  const mayInvite = may('user_management', 'create')
  const departments = useAnswer(calls.departments, about, { enabled: may('department_management', 'view') })
  const adding = useQueryParam('add') !== null && mayInvite
  const [shown, edited] = [numberOf(useQueryParam('person')), numberOf(useQueryParam('edit'))]
  const list = departments.data?.departments ?? []

  const activate = async (member: Member) => {
    try {
      toast((await call(calls.changeStatus, { ...about, personId: member.id, step: 'activate' })).message)
    } catch (error) {
      toast(sentenceOf(error), 'danger')
    }
    await reload(calls.list)
  }
  return (
    <>
      <DataTable
        name="staff"
        level={2}
        title={t(place.people)}
        state={state}
        queryKey={keyOf(calls.list, about)}
        load={(question: TableQuestion<Filter>, signal) =>
          call(calls.list, { ...about, ...asked(question) }, signal && { signal })
        }
        columns={columns}
        rowKey={({ id }) => id}
        rowName={fullName}
        noun={(n) => (n === 1 ? t`person` : t`people`)}
        searchLabel={t`Search`}
        actions={{
          view: ({ id }) => setQuery({ person: String(id) }),
          edit: ({ id }) => setQuery({ edit: String(id) }),
          activate: (member) => void activate(member),
          ...(!place.positions && { assign: ({ id }: Member) => setQuery({ items: String(id) }) }),
        }}
        onRow={({ id }) => setQuery({ person: String(id) })}
        {...(place.positions && {
          onExport: (question: TableQuestion<Filter>) => download(townStaffCsv, { ...about, ...asked(question) }),
        })}
        headActions={
          <>
            {!place.positions && <PlatformSignInRules />}
            {mayInvite && (
              <Button look="primary" icon={UserPlus} onClick={() => setQuery({ add: '1' })}>
                <Trans>Invite</Trans>
              </Button>
            )}
          </>
        }
        filters={<Filters state={state} departments={list} />}
      />
      {adding && <InvitePerson place={place} departments={list} onClose={() => setQuery({ add: null })} />}
      {shown !== null && edited === null && (
        <MemberSlideOut place={place} id={shown} onClose={() => setQuery({ person: null })} />
      )}
      {edited !== null && (
        <EditPerson place={place} departments={list} id={edited} onClose={() => setQuery({ edit: null })} />
      )}
    </>
  )
}

function Filters({
  state: { question, setFilters },
  departments,
}: {
  state: TableState<Filter>
  departments: readonly Department[]
}) {
  const { t } = useLingui()
  const { status, department } = question.filters
  return (
    <>
      <Select
        className="md:min-w-40"
        label={<Trans>Status</Trans>}
        value={status}
        onChange={({ target }) => setFilters({ status: target.value })}
        options={[
          { value: '', label: t`All statuses` },
          ...Object.entries(accountStates.labels).map(([value, label]) => ({ value, label })),
        ]}
      />
      {departments.length > 0 && (
        <Select
          className="md:min-w-48"
          label={<Trans>Department</Trans>}
          value={department}
          onChange={({ target }) => setFilters({ department: target.value })}
          options={[
            { value: '', label: t`All departments` },
            ...departments.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
      )}
    </>
  )
}

function useColumns({ positions, roles }: Place): readonly TableColumn<Member>[] {
  const { t } = useLingui()
  return useMemo(
    () => [
      {
        ...{ id: 'name', header: t`Name`, sort: 'name', primary: true },
        cell: ({ lastName, firstName }: Member) => (
          <span className="whitespace-normal">
            {lastName}, {firstName}
          </span>
        ),
      },
      {
        id: 'email',
        header: t`Email`,
        cell: ({ email }) => <EmailText text={email} />,
      },
      {
        id: 'role',
        header: t`Role`,
        groupBy: ({ role }) => role,
        cell: (row) => <Role row={row} name={roles[row.roleId]} />,
      },
      ...(positions
        ? [
            {
              id: 'position',
              header: t`Position`,
              cell: ({ position }: Member) => (
                <span className="inline-block min-w-18 whitespace-normal">
                  {(position && positions[position]) || '–'}
                </span>
              ),
            },
          ]
        : []),
      {
        ...{ id: 'department', header: t`Department`, groupBy: ({ department }: Member) => department || t`None` },
        cell: ({ department }: Member) => (
          <span className="inline-block min-w-26 whitespace-normal">{department || '–'}</span>
        ),
      },
      {
        ...{ id: 'status', header: t`Status`, groupBy: ({ status }: Member) => accountStates.labels[status] },
        cell: ({ status }: Member) => <StateBadge of={accountStates} state={status} />,
      },
      {
        ...{ id: 'signedIn', header: t`Last sign-in` },
        cell: ({ lastSignIn }: Member) =>
          lastSignIn ? (
            <time dateTime={lastSignIn} className="inline-block min-w-26 whitespace-normal">
              {shortInstant(lastSignIn)}
            </time>
          ) : (
            <Trans>Never</Trans>
          ),
      },
    ],
    [t, positions, roles],
  )
}

const Role = ({ row: { differs }, name }: { row: Member; name: string | undefined }) => (
  <span className="inline-flex min-w-27 flex-col items-start whitespace-normal">
    {name}
    {differs > 0 && (
      <span className="text-muted text-xs">
        <Trans>with changed privileges</Trans>
      </span>
    )}
  </span>
)
