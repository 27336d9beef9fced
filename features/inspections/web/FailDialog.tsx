import { Trans, useLingui } from '@lingui/react/macro'
import { sizeLabel } from '../../../shared/file-types.ts'
import { translated } from '../../../shared/words.ts'
import { call } from '../../../web/call.ts'
import { Checkbox, Select } from '../../../web/ui/Choice.tsx'
import { FileUpload } from '../../../web/ui/FileUpload.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { type Severity, severityLabels } from '../../work-orders/rules.ts'
import { addItemPhoto, failForm, failItem, itemPhotos } from '../contract.ts'
import { type ItemDetails, reloadInspections } from './fresh.ts'

/** Why an item fails, with photos, and the work order that mends it: in one press. */
export function FailDialog({ item: { id, title, photos }, onClose }: { item: ItemDetails; onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(failForm, {
    defaultValues: { reason: '', openOrder: true, severity: 1 },
    draft: { name: `inspection-fail:${id}` },
  })
  const { value: severity, onChange: setSeverity, ...bound } = form.choice('severity')
  const size = sizeLabel(itemPhotos.mostBytes)
  return (
    <FormDialog
      title={<Trans>{title} fails</Trans>}
      form={form}
      submit={form.watch('openOrder') ? <Trans>Fail and open a work order</Trans> : <Trans>Fail</Trans>}
      danger
      onClose={onClose}
      onSubmit={async (values) => {
        toast((await call(failItem, { ...values, itemId: id })).message)
        await reloadInspections()
      }}
    >
      <TextField label={t`Why it fails`} maxLength={200} autoComplete="off" {...form.field('reason')} />
      <FileUpload
        key={photos.length}
        label={t`Photos`}
        low
        takes={addItemPhoto}
        by={itemPhotos}
        fields={{ itemId: String(id) }}
        hint={
          <Trans>
            JPG or PNG, at most {itemPhotos.mostFiles} of {size} each. {photos.length} there by now.
          </Trans>
        }
        onChange={() => void reloadInspections()}
      />
      <Checkbox
        label={t`Open a work order`}
        hint={t`With these photos and the place of the inspection.`}
        {...form.field('openOrder')}
      />
      {form.watch('openOrder') && (
        <Select
          {...bound}
          label={t`Severity`}
          value={String(severity)}
          onChange={({ target }) => setSeverity(Number(target.value) as Severity)}
          options={Object.entries(severityLabels).map(([value, label]) => ({ value, label: translated(label) }))}
        />
      )}
    </FormDialog>
  )
}
