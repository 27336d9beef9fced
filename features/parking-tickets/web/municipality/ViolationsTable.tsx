import { Trans, useLingui } from '@lingui/react/macro'
import { ListChecks, Plus } from 'lucide-react'
import { setQuery } from '../../../../web/go.ts'
import { call } from '../../../../web/call.ts'
import { ListScreen } from '../../../../web/list/ListScreen.tsx'
import { useQueryParam } from '../../../../web/routes.tsx'
import { may } from '../../../../web/session.ts'
import { useState } from 'react'
import type { RowOf } from '../../../../shared/list.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Checkbox } from '../../../../web/ui/Choice.tsx'
import { MoneyField } from '../../../../web/ui/MoneyField.tsx'
import { EmptyState } from '../../../../web/ui/States.tsx'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { saveViolation, violationForm } from '../../contract.ts'
import { violations } from '../../list.ts'
import { reloadTickets } from './fresh.ts'
import { EditSlideOut } from '../../../../web/ui/EditSlideOut.tsx'

type Violation = RowOf<typeof violations>

/** Violation codes with their fines for new tickets. */
export function ViolationsTable() {
  const [edited, setEdited] = useState<Violation | null>(null)
  const adding = useQueryParam('panel') === 'code' && may('parking', 'update')
  const add = may('parking', 'update') && (
    <Button variant="primary" icon={Plus} onClick={() => setQuery({ panel: 'code' })}>
      <Trans>Add code</Trans>
    </Button>
  )
  return (
    <>
      <ListScreen
        of={violations}
        level={2}
        rowName={({ code }) => code}
        actions={{ edit: setEdited }}
        headActions={add}
        empty={
          <EmptyState icon={ListChecks} title={<Trans>No violation codes yet</Trans>} action={add}>
            <Trans>Each ticket has a violation code. The code sets the amount.</Trans>
          </EmptyState>
        }
      />
      {adding && <EditViolation violation={null} onClose={() => setQuery({ panel: null })} />}
      {edited && <EditViolation key={edited.id} violation={edited} onClose={() => setEdited(null)} />}
    </>
  )
}

/** Form to add or change a violation code. Existing tickets keep their fine. */
function EditViolation({ violation, onClose }: { violation: Violation | null; onClose: () => void }) {
  const { t } = useLingui()
  const basis = violation && {
    code: violation.code,
    description: violation.description,
    amountCents: violation.amount,
    active: violation.active === 1,
  }
  return (
    <EditSlideOut
      title={violation ? <Trans>Code {violation.code}</Trans> : <Trans>Add code</Trans>}
      rules={violationForm}
      start={basis ?? { code: '', description: '', amountCents: null as never, active: true }}
      isNew={basis === null}
      draft={`parking-violation:${violation?.id ?? 'new'}`}
      onSave={(values, from) => call(saveViolation, { ...values, violationId: violation?.id ?? null, basis: from })}
      refresh={reloadTickets}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextField label={t`Code`} autoComplete="off" maxLength={12} {...form.field('code')} />
          <TextField
            label={t`Violation`}
            hint={t`Text printed on the ticket, for example: No parking here to corner.`}
            autoComplete="off"
            {...form.field('description')}
          />
          <MoneyField
            label={t`Amount`}
            hint={t`This amount applies to new tickets. Existing tickets keep their amount.`}
            {...form.money('amountCents')}
          />
          <Checkbox
            label={t`In use`}
            hint={t`Staff can choose only codes that are in use.`}
            {...form.field('active')}
          />
        </>
      )}
    </EditSlideOut>
  )
}
