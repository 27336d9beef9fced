import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { stepReason } from '../../shared/machine.ts'
import { FormDialog } from './FormDialog.tsx'
import { useZodForm } from './form.ts'
import { TextField } from './TextField.tsx'

const reasonForm = z.object({ reason: stepReason })

interface ReasonDialogProps {
  /** The action's label: 'Mark as invalid'. */
  title: string
  /** Consequences of the action. */
  text?: ReactNode
  hint?: string | undefined
  /** Key of the draft, which survives a reload. */
  draft: string
  onReason: (reason: string) => Promise<unknown>
  onClose: () => void
}

/**
 * Dialog for the required reason of an action. If the action fails, the dialog shows the error and keeps the typed
 * text.
 */
export function ReasonDialog({ title, text, hint, draft, onReason, onClose }: ReasonDialogProps) {
  const { t } = useLingui()
  const form = useZodForm(reasonForm, { defaultValues: { reason: '' }, draft: { name: draft } })
  return (
    <FormDialog
      title={title}
      form={form}
      submit={title}
      danger
      onSubmit={({ reason }) => onReason(reason)}
      onClose={onClose}
    >
      {text && <p>{text}</p>}
      <TextField label={t`Reason`} hint={hint} maxLength={200} {...form.field('reason')} />
    </FormDialog>
  )
}
