import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { call } from '../../../../web/call.ts'
import type { Act } from '../../../../web/act.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Dialog } from '../../../../web/ui/Dialog.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { MoveButtons } from '../../../../web/ui/MoveButtons.tsx'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { changeRequestStatus, reasonForm } from '../../contract.ts'
import { requestStates } from '../../states.ts'
import type { Details } from './details.ts'
import { reloadRequests } from './fresh-requests.ts'

interface Props {
  details: Details
  act: Act
}

/** Where the request can go from here. */
export function Steps({ details: { request, can }, act }: Props) {
  /** Ends the press that asks for a reason; null while nothing is asked. */
  const [asked, setAsked] = useState<{ close: () => void } | null>(null)
  const of = { companyId: request.companyId, subjectId: request.id }
  return (
    <>
      <MoveButtons
        of={requestStates}
        can={can.steps}
        onPress={async (event) => {
          if (!requestStates.steps[event].reason) return act(() => call(changeRequestStatus, { ...of, event }))
          // The button is pressed until the question is answered, so that the focus stays in the dialog.
          await new Promise<void>((close) => setAsked({ close }))
          setAsked(null)
        }}
      />
      {asked && <Invalid of={of} onClose={asked.close} />}
    </>
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
          toast((await call(changeRequestStatus, { ...of, event: 'invalidate', reason })).message)
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
