import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import { Checkbox, optionsOf, Select } from '../../../web/ui/Choice.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { TextField } from '../../../web/ui/TextField.tsx'
import { type Severity, severityLabels } from '../../work-orders/rules.ts'
import { failForm } from '../contract.ts'
import { Text } from '../../../web/ui/Text.tsx'

interface FailFormProps {
  title: string
  /** Name under which the browser stores the draft, so that the draft survives a reload. */
  draft: string
  onFail: (values: z.output<typeof failForm>) => Promise<void>
  onClose: () => void
  /** Photos of the item. */
  children: ReactNode
}

/** Form that fails an item: the reason, its photos and a work order. Used in the office and in the field. */
export function FailForm({ title, draft, onFail, onClose, children }: FailFormProps) {
  const { t } = useLingui()
  const form = useZodForm(failForm, {
    defaultValues: { reason: '', openOrder: true, severity: 1 },
    draft: { name: draft },
  })
  const { value: severity, onChange: setSeverity, ...bound } = form.choice('severity')
  return (
    <FormDialog
      title={<Trans>Fail “{title}”</Trans>}
      form={form}
      submit={form.watch('openOrder') ? <Trans>Fail and open a work order</Trans> : <Trans>Fail</Trans>}
      danger
      onClose={onClose}
      onSubmit={onFail}
    >
      <TextField label={t`Reason for failure`} maxLength={200} autoComplete="off" {...form.field('reason')} />
      <Text>{children}</Text>
      <Checkbox
        label={t`Open a work order`}
        hint={t`The work order will include these photos and the location of the inspection.`}
        {...form.field('openOrder')}
      />
      {form.watch('openOrder') && (
        <Select
          {...bound}
          label={t`Priority`}
          value={String(severity)}
          onChange={({ target }) => setSeverity(Number(target.value) as Severity)}
          options={optionsOf(severityLabels)}
        />
      )}
    </FormDialog>
  )
}
