import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, Users } from 'lucide-react'
import { useMemo } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { officeAreas } from '../../../shared/areas.ts'
import { translated } from '../../../shared/messages.ts'
import { call, messageOf } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { keyOf, reload, useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { currentSession, may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { DataTable } from '../../../web/ui/office/DataTable.tsx'
import type { TableColumn } from '../../../web/ui/office/table/column.ts'
import { useTableState } from '../../../web/ui/office/table/table-state.ts'
import { EmptyState } from '../../../web/ui/States.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { type AreaMasks, listRoles, removeRole, roleForm, saveRole } from '../contract-roles.ts'
import { companyRoles, pick } from '../rules.ts'
import { AreaLevels } from './AreaLevels.tsx'
import { OpenedScreens } from './OpenedScreens.tsx'
import type { StaffScope } from './staff-scope.ts'

type Role = ResponseOf<typeof listRoles>['roles'][number]

/** Roles of a company's staff: presets, and roles that the company made. The list is short, so it has no pages. */
export function Roles({ scope }: { scope: StaffScope }) {
  const { t } = useLingui()
  const { about } = scope
  const state = useTableState({ sort: 'name', direction: 'asc' })
  const columns = useColumns()
  const { data } = useResponse(listRoles, about)
  const [editedKey, copiedKey] = [useQueryParam('role'), useQueryParam('copy')]
  const mayAdd = may('staff', 'update')
  const isAdding = useQueryParam('add') !== null && mayAdd
  const edited = data?.roles.find(({ key }) => key === editedKey)
  const copied = data?.roles.find(({ key }) => key === copiedKey)

  const remove = async ({ key }: Role) => {
    try {
      toast((await call(removeRole, { ...about, role: key })).message)
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    await reload(listRoles)
  }
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setQuery({ add: '1' })}>
      <Trans>Add role</Trans>
    </Button>
  )
  const close = () => setQuery({ role: null, copy: null, add: null })
  return (
    <>
      <DataTable
        note={
          data &&
          data.before > 0 && (
            <Notice>
              {data.before === 1 ? (
                <Trans>
                  1 person still has a broad role from before. Give this person a role with only the levels for the job.
                </Trans>
              ) : (
                <Trans>
                  {data.before} people still have broad roles from before. Give each of them a role with only the levels
                  for the job.
                </Trans>
              )}
            </Notice>
          )
        }
        name="staff-roles"
        level={2}
        title={t`Roles`}
        state={state}
        queryKey={keyOf(listRoles, about)}
        load={async (_question, signal) => {
          const { roles } = await call(listRoles, about, signal && { signal })
          return { rows: roles, count: roles.length, next: null, previous: null, totals: null }
        }}
        columns={columns}
        rowKey={({ key }) => key}
        rowName={({ name }) => name}
        noun={(n) => (n === 1 ? t`role` : t`roles`)}
        searchable={false}
        actions={{
          view: ({ key }) => setQuery({ role: key }),
          edit: ({ key }) => setQuery({ role: key }),
          copy: ({ key }) => setQuery({ copy: key }),
          remove: (role) => void remove(role),
        }}
        onRow={({ key }) => setQuery({ role: key })}
        headActions={
          <>
            <OpenedScreens scope={scope} />
            {mayAdd && add}
          </>
        }
        empty={<EmptyState icon={Users} title={t`No roles yet`} action={mayAdd && add} />}
      />
      {isAdding && <RoleForm scope={scope} edited={null} from={null} onClose={close} />}
      {copied && mayAdd && (
        <RoleForm key={`copy ${copied.key}`} scope={scope} edited={null} from={copied} onClose={close} />
      )}
      {edited && <RoleForm key={edited.key} scope={scope} edited={edited} from={edited} onClose={close} />}
    </>
  )
}

function useColumns(): readonly TableColumn<Role>[] {
  const { t } = useLingui()
  return useMemo(
    () => [
      { id: 'name', header: t`Name`, primary: true, cell: ({ name }) => name },
      { id: 'rank', header: t`Rank`, cell: ({ roleId }) => translated(companyRoles[roleId] ?? '') },
      { id: 'people', header: t`People`, align: 'end', cell: ({ people }) => people },
    ],
    [t],
  )
}

interface RoleFormProps {
  scope: StaffScope
  /** Null for a new role. */
  edited: Role | null
  /** Role that gives the first levels of the form. */
  from: Role | null
  onClose: () => void
}

function RoleForm({ scope: { about, path }, edited: role, from, onClose }: RoleFormProps) {
  const { t } = useLingui()
  const own = currentSession()?.un ?? 0
  const masks = pick(officeAreas, from?.masks ?? {}) as AreaMasks
  const start = { ...masks, name: role?.name ?? '', roleId: String(from?.roleId ?? 3) }
  const form = useZodForm(roleForm, {
    defaultValues: start as never,
    ...(role && { basis: { ...masks, name: role.name, roleId: role.roleId } }),
    toFormValues: (stored) => ({ ...stored, ...('roleId' in stored && { roleId: String(stored['roleId']) }) }),
    draft: { name: `role:${path}:${role?.key ?? `new:${from?.key ?? ''}`}` },
  })
  const isOpen = role === null || role.can.edit
  const save = async (values: Parameters<Parameters<typeof form.handleSubmit>[0]>[0]) => {
    const { message } = await call(saveRole, { ...about, ...values, role: role?.key ?? null, basis: form.basis })
    toast(message)
    await reload(listRoles)
    onClose()
  }
  const ranks = Object.entries(companyRoles).filter(([id]) => Number(id) <= own)
  return (
    <FormSlideOut
      title={role ? role.name : from ? <Trans>Copy of {from.name}</Trans> : <Trans>Add role</Trans>}
      form={form}
      mayEdit={isOpen}
      onSubmit={save}
      onClose={onClose}
    >
      {role?.why && <Notice className="mb-4">{role.why}</Notice>}
      {role && role.people > 0 && role.can.edit && (
        <Notice className="mb-4">
          {role.people === 1 ? (
            <Trans>1 person has this role. Changes take effect immediately.</Trans>
          ) : (
            <Trans>{role.people} people have this role. Changes take effect immediately.</Trans>
          )}
        </Notice>
      )}
      <TextField label={t`Name`} autoComplete="off" disabled={!isOpen} {...form.field('name')} />
      <Select
        label={t`Rank`}
        hint={t`People of a higher rank can change the accounts of people of a lower rank.`}
        options={ranks.map(([value, label]) => ({ value, label: translated(label) }))}
        disabled={!isOpen}
        {...form.field('roleId')}
      />
      <AreaLevels
        caption={t`Levels`}
        masks={form.watch() as unknown as AreaMasks}
        before={masks}
        usual={null}
        isOpen={isOpen}
        onChange={(name, mask) => form.setValue(name, mask as never, { shouldDirty: true })}
      />
    </FormSlideOut>
  )
}
