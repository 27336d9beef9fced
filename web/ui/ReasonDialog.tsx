import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import * as z from 'zod/mini'
import { stepReason } from '../../shared/machine.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Form } from './Form.tsx'
import { useZodForm } from './form.ts'
import { TextField } from './TextField.tsx'

const reasonForm = z.object({ reason: stepReason })

interface ReasonDialogProps {
  /** The step's own words: 'Mark as invalid'. */
  title: string
  /** What comes of it. */
  says?: ReactNode
  hint?: string | undefined
  /** Under which name what is typed outlives a reload. */
  draft: string
  onReason: (reason: string) => Promise<unknown>
  onClose: () => void
}

/** Asks why, before a step that is not taken without a reason. A refusal stands in the dialog, and nothing typed is lost. */
export function ReasonDialog({ title, says, hint, draft, onReason, onClose }: ReasonDialogProps) {
  const { t } = useLingui()
  const id = useId()
  const form = useZodForm(reasonForm, { defaultValues: { reason: '' }, draft: { name: draft } })
  const busy = form.formState.isSubmitting
  return (
    <Dialog
      title={title}
      onClose={onClose}
      locked={busy}
      actions={
        <>
          <Button type="submit" form={id} look="danger" busy={busy}>
            {title}
          </Button>
          <Button onClick={onClose} disabled={busy}>
            <Trans>Go back</Trans>
          </Button>
        </>
      }
    >
      <Form
        id={id}
        form={form}
        onSubmit={async ({ reason }) => {
          await onReason(reason)
          onClose()
        }}
      >
        {says && <p>{says}</p>}
        <TextField label={t`Reason`} hint={hint} maxLength={200} {...form.field('reason')} />
      </Form>
    </Dialog>
  )
}
