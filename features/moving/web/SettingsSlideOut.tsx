import { Trans, useLingui } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { Checkbox, Select } from '../../../web/ui/Choice.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { SettingsOf } from '../../../web/ui/SettingsOf.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { wholeNumber } from '../../../web/ui/whole-number.ts'
import { toast } from '../../../web/ui/Toasts.tsx'
import { movingSettings, saveMovingSettings, settingsForm } from '../contract.ts'

interface Props {
  onClose: () => void
}

/** Form for the company's move settings, such as whether guests may request moves, and the available days. */
export function SettingsSlideOut({ onClose }: Props) {
  const response = useResponse(movingSettings, {})
  return (
    <SettingsOf response={response} title={<Trans>Move settings</Trans>} onClose={onClose}>
      {(loaded) => <Edit response={loaded} onClose={onClose} />}
    </SettingsOf>
  )
}

function Edit({
  response: { settings, departments, fees, can },
  onClose,
}: Props & { response: ResponseOf<typeof movingSettings> }) {
  const { t } = useLingui()
  const form = useZodForm(settingsForm, {
    defaultValues: settings,
    basis: settings,
    draft: { name: 'moving-settings' },
  })
  const readsBy = form.choice('readsBy')
  const fee = form.choice('feeTypeId')
  const save = async (values: z.output<typeof settingsForm>) => {
    toast((await call(saveMovingSettings, { ...values, basis: form.basis })).message)
    await reload(movingSettings)
    onClose()
  }
  return (
    <FormSlideOut title={<Trans>Move settings</Trans>} form={form} mayEdit={can.edit} onSubmit={save} onClose={onClose}>
      <Checkbox label={t`Allow move requests from people without an account`} {...form.field('forGuests')} />
      <TextField
        label={t`Minimum notice in days`}
        hint={t`Minimum number of days between the request and the move. Residents can choose only days when the office is open.`}
        className="max-w-60"
        {...wholeNumber(form.choice('leadDays'))}
      />
      <TextField
        label={t`Maximum days ahead`}
        hint={t`Maximum number of days between the request and the move.`}
        className="max-w-60"
        {...wholeNumber(form.choice('farthestDays'))}
      />
      <Select
        label={t`Meter reading department`}
        hint={t`Each move opens work orders for its final and first readings. The work orders appear on the calendar.`}
        value={readsBy.value === null ? '' : String(readsBy.value)}
        error={readsBy.error}
        onChange={({ target }) => readsBy.onChange(target.value === '' ? null : Number(target.value))}
        options={[
          { value: '', label: t`No work orders` },
          ...departments.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <Select
        label={t`Move-in deposit or fee`}
        hint={t`Choose an existing payment type with a fixed amount and no questions. The resident pays the charge on the page of the move request.`}
        value={fee.value === null ? '' : String(fee.value)}
        error={fee.error}
        onChange={({ target }) => fee.onChange(target.value === '' ? null : Number(target.value))}
        options={[
          { value: '', label: t`No charge` },
          ...fees.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <TextField
        label={t`Required documents`}
        hint={t`Example: a copy of the lease and a photo ID. Leave empty if no documents are required.`}
        optional
        {...form.field('documents')}
      />
      <TextField
        label={t`Days of AutoPay after move-out`}
        hint={t`AutoPay for the old account continues for this many days to pay the final bill.`}
        className="max-w-60"
        {...wholeNumber(form.choice('autopayDays'))}
      />
    </FormSlideOut>
  )
}
