import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Ban, CircleCheck, CirclePlay, type LucideIcon, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../../web/call.ts'
import type { Act } from '../../../../web/cases/AssignCase.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { Dialog } from '../../../../web/ui/Dialog.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { changeRequestStatus, reasonForm } from '../../contract.ts'
import type { Status } from '../../rules.ts'
import type { Details } from './details.ts'
import { reloadRequests } from './fresh-requests.ts'

const buttons: Record<Status, { label: MessageDescriptor; icon: LucideIcon }> = {
  0: { label: msg`New`, icon: CirclePlay },
  1: { label: msg`Start work`, icon: CirclePlay },
  2: { label: msg`Complete`, icon: CircleCheck },
  3: { label: msg`Reopen`, icon: RotateCcw },
  4: { label: msg`Mark as invalid`, icon: Ban },
}

interface Props {
  details: Details
  busy: boolean
  act: Act
}

/** Where the request can go from here. */
export function Steps({ details: { request, can }, busy, act }: Props) {
  const { t } = useLingui()
  const [invalid, setInvalid] = useState(false)
  const of = { companyId: request.companyId, subjectId: request.id }
  return (
    <div className="mt-5 flex flex-wrap gap-2 empty:hidden">
      {can.steps.map((status) => (
        <Button
          key={status}
          size="small"
          icon={buttons[status].icon}
          disabled={busy}
          onClick={() =>
            status === 4 ? setInvalid(true) : void act(() => call(changeRequestStatus, { ...of, status }))
          }
        >
          {t(buttons[status].label)}
        </Button>
      ))}
      {invalid && <Invalid of={of} onClose={() => setInvalid(false)} />}
    </div>
  )
}

/** Nobody is told of it, so the reason says to colleagues why nothing more happens. */
function Invalid({ of, onClose }: { of: { companyId: number; subjectId: number }; onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(reasonForm, {
    defaultValues: { reason: '' },
    draft: { name: `support-invalid:${of.subjectId}` },
  })
  const busy = form.formState.isSubmitting
  return (
    <Dialog
      title={t`Mark as invalid`}
      onClose={onClose}
      locked={busy}
      actions={
        <>
          <Button type="submit" form="invalid-request" look="danger" busy={busy}>
            <Trans>Mark as invalid</Trans>
          </Button>
          <Button onClick={onClose} disabled={busy}>
            <Trans>Go back</Trans>
          </Button>
        </>
      }
    >
      <Form
        id="invalid-request"
        form={form}
        onSubmit={async ({ reason }) => {
          toast((await call(changeRequestStatus, { ...of, status: 4, reason })).message)
          await reloadRequests()
          onClose()
        }}
      >
        <p>
          <Trans>The request is closed for good, and the person is not told.</Trans>
        </p>
        <TextField
          label={t`Reason`}
          hint={t`Colleagues read it, the person does not.`}
          maxLength={200}
          {...form.field('reason')}
        />
      </Form>
    </Dialog>
  )
}
