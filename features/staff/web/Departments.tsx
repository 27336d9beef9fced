import { Trans, useLingui } from '@lingui/react/macro'
import { Building2, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { call, CallError, messageOf } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { keyOf, reload, useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { DataTable } from '../../../web/ui/office/DataTable.tsx'
import type { TableColumn } from '../../../web/ui/office/table/column.ts'
import { useTableState } from '../../../web/ui/office/table/table-state.ts'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { departmentForm } from '../contract.ts'
import { departmentStates } from '../states.ts'
import type { Department, StaffScope } from './staff-scope.ts'

/**
 * Departments of a company or the platform: add, rename, deactivate and activate (spec 4.8). The list is short, so it
 * has no pages.
 */
export function Departments({ scope }: { scope: StaffScope }) {
  const { t } = useLingui()
  const { calls, about } = scope
  const state = useTableState({ sort: 'name', direction: 'asc' })
  const columns = useColumns()
  const [inUse, setInUse] = useState<{ department: Department; message: string } | null>(null)
  const renameId = Number(useQueryParam('rename'))
  const list = useResponse(calls.departments, about, { enabled: renameId > 0 })
  const renamed = list.data?.departments.find(({ id }) => id === renameId)
  const mayAdd = may('department_management', 'create')
  const adding = useQueryParam('add') !== null && mayAdd

  const change = async (department: Department, work: () => Promise<{ message: string }>) => {
    try {
      toast((await work()).message)
      setInUse(null)
    } catch (error) {
      if (error instanceof CallError && error.code === 'department_in_use')
        return setInUse({ department, message: error.message })
      toast(messageOf(error), 'danger')
    }
    await Promise.all([reload(calls.departments), reload(calls.list)])
  }
  const inactivate = (department: Department, confirmed: boolean) =>
    void change(department, () =>
      call(calls.inactivateDepartment, { ...about, departmentId: department.id, confirmed }),
    )
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setQuery({ add: '1' })}>
      <Trans>Add department</Trans>
    </Button>
  )
  return (
    <>
      <DataTable
        name="departments"
        level={2}
        title={t`Departments`}
        state={state}
        queryKey={keyOf(calls.departments, about)}
        load={async (_question, signal) => {
          const { departments } = await call(calls.departments, about, signal && { signal })
          return { rows: departments, count: departments.length, next: null, previous: null, totals: null }
        }}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        noun={(n) => (n === 1 ? t`department` : t`departments`)}
        searchable={false}
        actions={{
          edit: (row) => setQuery({ rename: String(row.id) }),
          activate: (row) => void change(row, () => call(calls.activateDepartment, { ...about, departmentId: row.id })),
          inactivate: (row) => inactivate(row, false),
        }}
        headActions={mayAdd && add}
        empty={
          <EmptyState icon={Building2} title={t`No departments yet`} action={mayAdd && add}>
            <Trans>
              Departments show who works on what. Assign people to a department when you invite them or edit their
              accounts.
            </Trans>
          </EmptyState>
        }
      />
      {adding && <DepartmentForm scope={scope} department={null} onClose={() => setQuery({ add: null })} />}
      {renamed && <DepartmentForm scope={scope} department={renamed} onClose={() => setQuery({ rename: null })} />}
      {inUse && (
        <ConfirmDialog
          title={t`Deactivate ${inUse.department.name}?`}
          confirmLabel={t`Deactivate department`}
          onConfirm={() => inactivate(inUse.department, true)}
          onClose={() => setInUse(null)}
        >
          {inUse.message}
        </ConfirmDialog>
      )}
    </>
  )
}

function useColumns(): readonly TableColumn<Department>[] {
  const { t } = useLingui()
  return useMemo(
    () => [
      { id: 'name', header: t`Name`, primary: true, cell: ({ name }) => name },
      { id: 'staff', header: t`Active staff`, align: 'end', cell: ({ staff }) => staff },
      {
        id: 'status',
        header: t`Status`,
        cell: ({ status }: Department) => <StateBadge of={departmentStates} state={status} />,
      },
    ],
    [t],
  )
}

interface FormProps {
  scope: StaffScope
  department: Department | null
  onClose: () => void
}

function DepartmentForm({ scope: { calls, path, about }, department, onClose }: FormProps) {
  const { t } = useLingui()
  const form = useZodForm(departmentForm, {
    defaultValues: { name: department?.name ?? '' },
    ...(department && { basis: { name: department.name } }),
    draft: { name: `department:${path}:${department?.id ?? 'new'}` },
  })
  const save = async ({ name }: { name: string }) => {
    const { message } = department
      ? await call(calls.renameDepartment, { ...about, departmentId: department.id, name, basis: form.basis })
      : await call(calls.createDepartment, { ...about, name })
    toast(message)
    await Promise.all([reload(calls.departments), reload(calls.list)])
    onClose()
  }
  return (
    <FormSlideOut
      title={department ? <Trans>Rename {department.name}</Trans> : <Trans>Add department</Trans>}
      form={form}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField label={t`Name`} autoComplete="off" {...form.field('name')} />
    </FormSlideOut>
  )
}
