import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { call } from '../../../../web/call.ts'
import { currentSession } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Select } from '../../../../web/ui/Choice.tsx'
import { assignRequest } from '../../contract.ts'
import type { Act, Details, People } from './details.ts'

interface Props {
  details: Details
  people: People
  busy: boolean
  act: Act
}

/** 'Assign to other admin' (specification 6.3, sub-module 34). */
export function Assign({ details: { request }, people, busy, act }: Props) {
  const { t } = useLingui()
  const { assignee, companyId, id: requestId } = request
  const now = assignee === null ? '' : String(assignee.id)
  const [chosen, setChosen] = useState(now)
  const me = currentSession()?.userId ?? ''
  const give = (personId: string) =>
    void act(() =>
      call(assignRequest, {
        ...{ companyId, requestId, personId: personId === '' ? null : Number(personId), from: assignee?.id ?? null },
      }),
    )
  const offered = people.filter(({ id, active }) => active || String(id) === now)
  return (
    <div className="mt-5 flex flex-wrap items-end gap-2">
      <Select
        className="min-w-48 flex-1"
        label={t`Assign to other admin`}
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
        options={[
          { value: '', label: t`Nobody` },
          ...offered.map(({ id, name, active, open }) => ({
            value: String(id),
            label: active ? t`${name} (${open} open)` : t`${name} (inactive)`,
          })),
        ]}
      />
      <Button disabled={busy || chosen === now} onClick={() => give(chosen)}>
        <Trans>Assign</Trans>
      </Button>
      {now !== me && people.some(({ id, active }) => active && String(id) === me) && (
        <Button disabled={busy} onClick={() => give(me)}>
          <Trans>Take it</Trans>
        </Button>
      )}
    </div>
  )
}
