import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { CaseCalls, CaseHolder, CaseSubject } from '../../shared/cases.ts'
import type { ResponseOf } from '../../shared/endpoint.ts'
import type { Act } from '../act.ts'
import { call } from '../call.ts'
import { useResponse } from '../query.ts'
import { currentSession } from '../session.ts'
import { Button } from '../ui/Button.tsx'
import { Select } from '../ui/Choice.tsx'

type Assignee = Pick<CaseHolder, 'personId' | 'departmentId'>

interface AssignCaseProps extends CaseSubject {
  of: CaseCalls
  holder: Assignee
  label: string
  busy: boolean
  act: Act
}

type AssigneeOption = ResponseOf<CaseCalls['assignees']>['people'][number]

/** Returns the option value of a person, a department or no assignee. */
const valueOf = ({ personId, departmentId }: Assignee) =>
  personId !== null ? `p${personId}` : departmentId !== null ? `d${departmentId}` : ''
const assigneeOf = (value: string): Assignee => ({
  personId: value.startsWith('p') ? Number(value.slice(1)) : null,
  departmentId: value.startsWith('d') ? Number(value.slice(1)) : null,
})

/** Assigns a case to a person or department, who are notified by email. */
export function AssignCase({ of, companyId, subjectId, holder, label, busy, act }: AssignCaseProps) {
  const { t } = useLingui()
  const { data } = useResponse(of.assignees, {})
  const people = data?.people ?? []
  const now = valueOf(holder)
  const [chosen, setChosen] = useState(now)
  const me = `p${currentSession()?.userId ?? ''}`
  const give = (value: string) =>
    void act(() =>
      call(of.assign, {
        companyId,
        subjectId,
        ...assigneeOf(value),
        from: holder.personId,
        fromDepartment: holder.departmentId,
      }),
    )
  const named = ({ name, active, open }: AssigneeOption) => (active ? t`${name} (${open} open)` : t`${name} (inactive)`)
  const offered = [
    ...people.map((one) => ({ ...one, value: `p${one.id}`, label: named(one) })),
    ...(data?.departments ?? []).map((one) => ({ ...one, value: `d${one.id}`, label: t`Department: ${named(one)}` })),
  ].filter(({ active, value }) => active || value === now)
  return (
    <div className="mt-5 flex flex-wrap items-end gap-2">
      <Select
        className="min-w-48 flex-1"
        label={label}
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
        options={[
          { value: '', label: t`Unassigned` },
          ...offered.map(({ value, label: text }) => ({ value, label: text })),
        ]}
      />
      <Button disabled={busy || chosen === now} onClick={() => give(chosen)}>
        <Trans>Assign</Trans>
      </Button>
      {now !== me && people.some(({ id, active }) => active && `p${id}` === me) && (
        <Button disabled={busy} onClick={() => give(me)}>
          <Trans>Assign to me</Trans>
        </Button>
      )}
    </div>
  )
}
