import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ArrowLeft, Copy } from 'lucide-react'
import { useState } from 'react'
import { type OfficeArea, officeAreas } from '../../../shared/areas.ts'
import { labelledMask, labelledPermissions, modules, policyTitle } from '../../../shared/privilege-labels.ts'
import {
  type PolicyName,
  policyNames,
  type PrivilegeName,
  type Privileges,
  rights,
} from '../../../shared/privileges.ts'
import { call, messageOf } from '../../../web/call.ts'
import { dropDraft, readDraft, writeDraft } from '../../../web/drafts.ts'
import { go } from '../../../web/go.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { currentSession } from '../../../web/session.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { cx } from '../../../web/ui/cx.ts'
import { Notice, Refusal } from '../../../web/ui/Notice.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { municipalityUsers } from '../contract.ts'
import { differences, pick, toggled } from '../rules.ts'
import { AreaLevels } from './AreaLevels.tsx'
import { OpenedScreens } from './OpenedScreens.tsx'
import { fullName, type MemberDetails, type StaffScope } from './staff-scope.ts'
import { Text } from '../../../web/ui/Text.tsx'

/** Returns the masks with only the bits that the matrix shows, for all sub-modules. */
const visibleMasksOf = (privileges: Privileges): Privileges =>
  Object.fromEntries(policyNames.map((name) => [name, (privileges[name] ?? 0) & labelledMask(name)]))

/** Matrix of one person's privileges by sub-module (spec 6.3). */
export function PrivilegeMatrix({ scope, id }: { scope: StaffScope; id: number }) {
  const response = useResponse(scope.calls.member, { ...scope.about, personId: id })
  return (
    <section aria-labelledby="matrix">
      <LinkButton to={scope.path} icon={ArrowLeft} variant="quiet" className="-ms-4 mb-2">
        <Trans>Back to the list</Trans>
      </LinkButton>
      <ResponseView response={response} loading={<Trans>Loading privileges</Trans>}>
        {(details) => <Matrix scope={scope} details={details} />}
      </ResponseView>
    </section>
  )
}

function Matrix({ scope, details }: { scope: StaffScope; details: MemberDetails }) {
  const { t } = useLingui()
  const { person, can, why } = details
  const { role } = person
  const edit = usePrivileges(scope, details)
  const { masks, start, usual, busy, set, save } = edit
  const [otherId, setOtherId] = useState<number | null>(null)
  const other = useResponse(
    scope.calls.member,
    { ...scope.about, personId: otherId ?? 0 },
    { enabled: otherId !== null },
  )
  const compared = otherId === null ? undefined : other.data
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <h2 id="matrix">
        <Trans>Privileges for {fullName(person)}</Trans>
      </h2>
      <p className="mt-2 mb-4 max-w-text text-muted">
        <Trans>
          Role: {role}. Differences from the role's defaults are marked. Changes take effect immediately. On{' '}
          {person.firstName}'s screen, menus and buttons update after {person.firstName}'s next action.
        </Trans>
      </p>
      {why && <Notice className="mb-4">{why}</Notice>}
      {scope.hasAreas ? (
        <>
          <Comparison
            scope={scope}
            id={person.id}
            otherId={otherId}
            compared={compared}
            error={otherId === null ? null : other.error}
            mayCopy={can.privileges && !busy}
            onChoose={setOtherId}
            onCopy={(privileges) => set(copied(masks, start, pick(officeAreas, privileges)))}
          />
          <AreaLevels
            caption={t`Privileges for ${fullName(person)}`}
            masks={masks}
            before={start}
            usual={usual}
            compared={compared ? { name: fullName(compared.person), masks: compared.privileges } : undefined}
            isOpen={can.privileges && !busy}
            onChange={(name, mask) => set({ ...masks, [name]: mask })}
          />
        </>
      ) : (
        <SubModules edit={edit} caption={t`Privileges for ${fullName(person)}`} isOpen={can.privileges && !busy} />
      )}
      {can.privileges && <SaveBar edit={edit} hasAreas={scope.hasAreas} />}
    </form>
  )
}

/** Returns the other person's levels, without those that the actor may not grant. */
const copied = (masks: Privileges, start: Privileges, other: Privileges): Privileges => {
  const held = currentSession()?.privileges ?? {}
  const grantable = (name: OfficeArea) => ((other[name] ?? 0) & ~(held[name] ?? 0) & ~(start[name] ?? 0)) === 0
  return { ...masks, ...pick(officeAreas.filter(grantable), other) }
}

interface ComparisonProps {
  scope: StaffScope
  id: number
  otherId: number | null
  compared: MemberDetails | undefined
  error: unknown
  mayCopy: boolean
  onChoose: (id: number | null) => void
  onCopy: (privileges: Privileges) => void
}

/** Chooses another person to compare with, and copies that person's levels. */
function Comparison({ scope, id, otherId, compared, error, mayCopy, onChoose, onCopy }: ComparisonProps) {
  const { t } = useLingui()
  const { data } = useResponse(municipalityUsers, scope.about)
  const others = (data?.users ?? []).filter((user) => user.id !== id)
  return (
    <div className="mb-4">
      <div className="flex flex-wrap items-end gap-3">
        <Select
          className="md:min-w-64"
          label={<Trans>Compare with</Trans>}
          value={otherId ?? ''}
          onChange={({ target }) => onChoose(target.value === '' ? null : Number(target.value))}
          options={[
            { value: '', label: t`No one` },
            ...others.map((user) => ({ value: user.id, label: `${user.first_name} ${user.last_name}` })),
          ]}
        />
        {compared && mayCopy && (
          <Button icon={Copy} onClick={() => onCopy(compared.privileges)}>
            <Trans>Copy the levels of {fullName(compared.person)}</Trans>
          </Button>
        )}
        <OpenedScreens scope={scope} />
      </div>
      <Refusal className="mt-2">{error ? messageOf(error) : null}</Refusal>
    </div>
  )
}

/** Table of the platform's sub-modules with a checkbox for each permission. */
function SubModules({
  edit,
  caption,
  isOpen,
}: {
  edit: ReturnType<typeof usePrivileges>
  caption: string
  isOpen: boolean
}) {
  const { masks, start, usual, set } = edit
  return (
    <table className="w-full border-collapse border border-line bg-surface text-table max-md:table-fixed">
      <caption className="spoken">{caption}</caption>
      <thead>
        <tr className="border-link border-b-2 text-start">
          <th scope="col" className="w-[40%] px-2 py-2 text-start text-sm md:w-52 lg:w-64 md:px-3">
            <Trans>Sub-module</Trans>
          </th>
          <th scope="col" className="px-3 py-2 text-start text-sm">
            <Trans>Permissions</Trans>
          </th>
        </tr>
      </thead>
      {modules.map((module) => (
        <tbody key={module.id}>
          <tr>
            <th scope="rowgroup" colSpan={2} className="bg-tint px-3 py-1.5 text-start">
              {module.name}
            </th>
          </tr>
          {module.policies.map(([policy]) => (
            <Row
              key={policy}
              policy={policy}
              mask={masks[policy] ?? 0}
              before={start[policy] ?? 0}
              usual={usual[policy] ?? 0}
              open={isOpen}
              onChange={(mask) => set({ ...masks, [policy]: mask })}
            />
          ))}
        </tbody>
      ))}
    </table>
  )
}

/** Manages the edited privileges of a person. Keeps them as a draft until they are saved. */
function usePrivileges(scope: StaffScope, details: MemberDetails) {
  const { person, can } = details
  const { id } = person
  const draft = `privileges:${id}`
  const names: readonly PrivilegeName[] = scope.hasAreas ? officeAreas : policyNames
  const visible = (privileges: Privileges) =>
    scope.hasAreas ? pick(officeAreas, privileges) : visibleMasksOf(privileges)
  const [start, usual] = [visible(details.privileges), visible(details.usual)]
  // Stores the draft together with the masks from before the person's edits. Otherwise, changes by other people would
  // look like changes in this draft.
  const [{ masks, basis }, setChoice] = useState<{ masks: Privileges; basis: Privileges }>(() => {
    const savedDraft = can.privileges ? readDraft<{ masks: Privileges; basis: Privileges }>(draft) : null
    return { masks: savedDraft ? toggled(start, savedDraft.basis, savedDraft.masks, names) : start, basis: start }
  })
  const [refusal, setRefusal] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const changed = differences(names, masks, start).length
  const differing = differences(names, masks, usual).length

  const set = (next: Privileges) => {
    setChoice({ masks: next, basis })
    writeDraft(draft, { masks: next, basis })
  }
  const save = async () => {
    setBusy(true)
    setRefusal(null)
    try {
      const body = { ...scope.about, personId: id, privileges: masks, basis }
      toast((await call(scope.calls.savePrivileges, body)).message)
      dropDraft(draft)
      await Promise.all([reload(scope.calls.member), reload(scope.calls.list)])
      go(scope.path)
    } catch (error) {
      setRefusal(messageOf(error))
      setBusy(false)
    }
  }
  const discard = () => {
    dropDraft(draft)
    setChoice({ masks: start, basis: start })
    setRefusal(null)
  }
  return { masks, start, usual, changed, differing, refusal, busy, set, save, discard }
}

function SaveBar({ edit, hasAreas }: { edit: ReturnType<typeof usePrivileges>; hasAreas: boolean }) {
  const { refusal, busy, changed, differing, usual, set, discard } = edit
  return (
    <div data-sticky-end className="sticky bottom-0 mt-4 border-line border-t bg-paper py-3">
      <Refusal className="mb-3">{refusal}</Refusal>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          disabled={changed === 0}
          busyLabel={<Trans>Saving...</Trans>}
        >
          <Trans>Save</Trans>
        </Button>
        <Button disabled={busy || differing === 0} onClick={() => set(usual)}>
          <Trans>Reset to role defaults</Trans>
        </Button>
        <Button disabled={busy || changed === 0} onClick={discard}>
          <Trans>Discard</Trans>
        </Button>
        <p role="status" className="text-muted text-sm">
          {changed === 0 ? (
            <Trans>No changes.</Trans>
          ) : hasAreas ? (
            <Plural value={changed} one="# area has unsaved changes." other="# areas have unsaved changes." />
          ) : changed === 1 ? (
            <Trans>1 sub-module has unsaved changes.</Trans>
          ) : (
            <Trans>{changed} sub-modules have unsaved changes.</Trans>
          )}
        </p>
      </div>
    </div>
  )
}

interface RowProps {
  policy: PolicyName
  mask: number
  before: number
  usual: number
  open: boolean
  onChange: (mask: number) => void
}

function Row({ policy, mask, before, usual, open, onChange }: RowProps) {
  const { t } = useLingui()
  const held = currentSession()?.privileges[policy] ?? 0
  const title = policyTitle(policy)
  const usually = labelledPermissions(policy).filter(([permission]) => usual & rights[permission])
  return (
    <tr className="border-line border-t align-top">
      <th scope="row" className="px-2 py-2.5 text-start font-bold wrap-anywhere hyphens-auto md:px-3">
        <Text>{title}</Text>
        {mask !== usual && (
          <span className="block font-bold text-warning text-xs">
            <Trans>Differs from role defaults</Trans>
          </span>
        )}
      </th>
      <td className="px-3 py-1.5">
        <div className="flex flex-col gap-x-6 md:flex-row md:flex-wrap">
          {labelledPermissions(policy).map(([permission, label]) => {
            const bit = rights[permission]
            const on = (mask & bit) !== 0
            const differs = (mask & bit) !== (usual & bit)
            // The actor cannot grant a permission that they lack. If the person already has the permission, the actor
            // may remove and restore it.
            const beyond = !(held & bit) && !(before & bit)
            return (
              <label
                key={permission}
                className={cx('flex min-h-8 items-center gap-2 md:min-w-20', (!open || beyond) && 'text-muted')}
                title={open && beyond ? t`You don't have this permission yourself.` : undefined}
              >
                <input
                  type="checkbox"
                  className="size-5 shrink-0"
                  checked={on}
                  disabled={!open || beyond}
                  aria-label={`${title}: ${label}`}
                  onChange={() => onChange(mask ^ bit)}
                />
                <span
                  className={cx(differs && 'font-bold underline decoration-2 decoration-warning underline-offset-4')}
                >
                  {label}
                </span>
                {differs && <span className="text-warning text-xs">{on ? t`added` : t`removed`}</span>}
              </label>
            )
          })}
        </div>
        <p className="pb-1 text-muted text-xs">
          {usually.length === 0 ? (
            <Trans>The role includes none of these permissions.</Trans>
          ) : (
            <Trans>The role includes: {usually.map(([, label]) => label).join(', ')}</Trans>
          )}
        </p>
      </td>
    </tr>
  )
}
