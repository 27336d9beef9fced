import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { stepReason } from '../../shared/machine.ts'
import { FormDialog } from './FormDialog.tsx'
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
      {says && <p>{says}</p>}
      <TextField label={t`Reason`} hint={hint} maxLength={200} {...form.field('reason')} />
    </FormDialog>
  )
}
