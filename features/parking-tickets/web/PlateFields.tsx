import { useLingui } from '@lingui/react/macro'
import type { FieldBinding } from '../../../web/ui/form.ts'
import { PrintedCodeField, StateField } from '../../../web/ui/TextField.tsx'

/** License plate and its state, side by side. */
export function PlateFields({ field }: { field: (name: 'plate' | 'plateState') => FieldBinding }) {
  const { t } = useLingui()
  return (
    <div className="grid grid-cols-[1fr_5.5rem] gap-4">
      <PrintedCodeField label={t`License plate`} {...field('plate')} />
      <StateField autoComplete="off" {...field('plateState')} />
    </div>
  )
}
