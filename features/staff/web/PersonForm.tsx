import { Trans, useLingui } from '@lingui/react/macro'
import { call } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormButtons } from '../../../web/ui/FormButtons.tsx'
import { useZodForm, type ZodForm } from '../../../web/ui/form.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Failed, LoadingState } from '../../../web/ui/States.tsx'
import { EmailField, TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { currentSession } from '../../../web/session.ts'
import { listRoles } from '../contract-roles.ts'
import { INVITATION_HOURS } from '../rules.ts'
import type { Department, MemberDetails, StaffScope } from './staff-scope.ts'

interface PersonFormProps {
  scope: StaffScope
  departments: readonly Department[]
  onClose: () => void
}

const optionsOf = (from: Readonly<Record<number, string>>) =>
  Object.entries(from).map(([value, label]) => ({ value, label }))

/** Form to invite a person. Typed values survive errors, closing and a reload. */
export function InvitePerson({ scope, departments, onClose }: PersonFormProps) {
  const { calls } = scope
  /** Role that the link to the form names, such as that of the first administrator. */
  const suggestedRole = useQueryParam('as') ?? ''
  const form = useZodForm(calls.invitee, {
    defaultValues: {
      email: '',
      firstName: '',
      lastName: '',
      departmentId: '',
      roleId: /^preset:\w+$/.test(suggestedRole) ? suggestedRole : '',
      position: scope.positions ? 1 : null,
    },
    draft: { name: `invite:${scope.path}` },
  })
  const { isSubmitting } = form.formState
  const invite = async (values: Parameters<Parameters<typeof form.handleSubmit>[0]>[0]) => {
    const response = await call(calls.invite, { ...scope.about, ...values })
    toast(response.message)
    void reload(calls.list)
    onClose()
  }
  return (
    <SlideOut
      title={<Trans>Invite staff member</Trans>}
      onClose={onClose}
      locked={isSubmitting}
      actions={<FormButtons form={form} id="invite" save={<Trans>Send invitation</Trans>} onClose={onClose} />}
    >
      <p className="mb-5 text-muted">
        <Trans>
          This person will get an email with a link to set a password. The link works once and expires after{' '}
          {INVITATION_HOURS} hours.
        </Trans>
      </p>
      <Form id="invite" form={form} onSubmit={invite}>
        <EmailField autoComplete="off" {...form.field('email')} />
        <Fields form={form as never} scope={scope} departments={departments} now={null} />
      </Form>
    </SlideOut>
  )
}

export function EditPerson({ scope, departments, id, onClose }: PersonFormProps & { id: number }) {
  const { data, error, refetch } = useResponse(scope.calls.member, { ...scope.about, personId: id })
  if (data) return <Edit key={id} scope={scope} departments={departments} member={data.person} onClose={onClose} />
  return (
    <SlideOut title={<Trans>Edit</Trans>} onClose={onClose}>
      {error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingState shape="lines">
          <Trans>Loading</Trans>
        </LoadingState>
      )}
    </SlideOut>
  )
}

function Edit({ scope, departments, member, onClose }: PersonFormProps & { member: MemberDetails['person'] }) {
  const { calls } = scope
  const { firstName, lastName, departmentId } = member
  const roleId = member.roleKey || member.roleId
  // For a person without a position, the form shows the first position. This default does not count as a change.
  const basis = { firstName, lastName, roleId, position: scope.positions && (member.position ?? 1), departmentId }
  const textOf = (value: unknown) => (typeof value === 'number' || typeof value === 'string' ? String(value) : '')
  const toFormValues = (stored: Record<string, unknown>) => ({
    roleId: textOf(stored['roleId']),
    departmentId: textOf(stored['departmentId']),
    position: scope.positions ? textOf(stored['position']) : null,
  })
  const form = useZodForm(calls.person, {
    defaultValues: { firstName, lastName, ...toFormValues(basis) },
    basis,
    toFormValues,
    draft: { name: `staff:${member.id}` },
  })
  const save = async (values: Parameters<Parameters<typeof form.handleSubmit>[0]>[0]) => {
    toast((await call(calls.save, { ...scope.about, ...values, personId: member.id, basis: form.basis })).message)
    await Promise.all([reload(calls.list), reload(calls.member), reload(calls.departments)])
    onClose()
  }
  const roleChanges = String(form.watch('roleId')) !== String(roleId)
  return (
    <SlideOut
      title={
        <Trans>
          Edit {member.firstName} {member.lastName}
        </Trans>
      }
      onClose={onClose}
      locked={form.formState.isSubmitting}
      actions={<FormButtons form={form} id="edit-person" onClose={onClose} />}
    >
      <Form id="edit-person" form={form} onSubmit={save}>
        <Fields form={form as never} scope={scope} departments={departments} now={member} />
        {roleChanges && (
          <Notice tone="info">
            <Trans>
              The new role will take effect immediately, with its default privileges. Privileges that were changed for
              this person will be reset.
            </Trans>
          </Notice>
        )}
      </Form>
    </SlideOut>
  )
}

interface PersonValues {
  firstName: string
  lastName: string
  roleId: string | number
  position: string | number | null
  departmentId: string | number | null
}

interface FieldsProps {
  form: ZodForm<PersonValues, unknown>
  scope: StaffScope
  departments: readonly Department[]
  now: MemberDetails['person'] | null
}

/**
 * Returns the roles that the actor may assign: none above the actor's own rank. The server refuses them too. A person's
 * role from before the areas is offered only to that person.
 */
function useRoleOptions(scope: StaffScope, now: MemberDetails['person'] | null) {
  const { t } = useLingui()
  const own = currentSession()?.un ?? 0
  const { data } = useResponse(listRoles, scope.about, { enabled: scope.hasAreas })
  if (!scope.hasAreas) return optionsOf(scope.roles).filter(({ value }) => Number(value) <= own)
  const assignable = (data?.roles ?? []).filter(({ roleId }) => roleId <= own)
  const before =
    now !== null && now.roleKey === '' ? [{ value: String(now.roleId), label: t`${now.role}, as before` }] : []
  return [...before, ...assignable.map(({ key, name }) => ({ value: key, label: name }))]
}

function Fields({ form, scope, departments, now }: FieldsProps) {
  const { t } = useLingui()
  const roles = useRoleOptions(scope, now)
  const offered = departments.filter(({ id, status }) => status === 'active' || id === now?.departmentId)
  return (
    <>
      <TextField label={t`First name`} autoComplete="off" {...form.field('firstName')} />
      <TextField label={t`Last name`} autoComplete="off" {...form.field('lastName')} />
      {/* A new key makes the select show the role of the form as soon as its options are loaded. */}
      <Select
        key={roles.length}
        label={t`Role`}
        placeholder={t`Choose one`}
        options={roles}
        {...form.field('roleId')}
      />
      {scope.positions && (
        <Select label={t`Position`} options={optionsOf(scope.positions)} {...form.field('position')} />
      )}
      {(departments.length > 0 || now?.departmentId) && (
        <Select
          label={t`Department`}
          optional
          placeholder={t`None`}
          options={offered.map(({ id, name, status }) => ({
            value: id,
            label: status === 'active' ? name : t`${name} (inactive)`,
          }))}
          {...form.field('departmentId')}
        />
      )}
    </>
  )
}
