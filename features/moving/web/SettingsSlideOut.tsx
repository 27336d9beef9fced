import { Trans, useLingui } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { reload, useAnswer } from '../../../web/query.ts'
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

/** Move settings of the company, such as guests and available days. */
export function SettingsSlideOut({ onClose }: Props) {
  const answer = useAnswer(movingSettings, {})
  return (
    <SettingsOf answer={answer} title={<Trans>Settings of moves</Trans>} onClose={onClose}>
      {(loaded) => <Edit answer={loaded} onClose={onClose} />}
    </SettingsOf>
  )
}

function Edit({
  answer: { settings, departments, fees, can },
  onClose,
}: Props & { answer: ResponseOf<typeof movingSettings> }) {
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
    <FormSlideOut
      title={<Trans>Settings of moves</Trans>}
      form={form}
      mayEdit={can.edit}
      onSubmit={save}
      onClose={onClose}
    >
      <Checkbox label={t`Guests may ask for a move without an account`} {...form.field('forGuests')} />
      <TextField
        label={t`Days of notice`}
        hint={t`So many days at least lie between asking and moving. Days off are those of residents' requests.`}
        className="max-w-60"
        {...wholeNumber(form.choice('leadDays'))}
      />
      <TextField
        label={t`Days ahead`}
        hint={t`No later day can be chosen.`}
        className="max-w-60"
        {...wholeNumber(form.choice('farthestDays'))}
      />
      <Select
        label={t`Who reads the meters`}
        hint={t`Each move opens work orders for its final and its first read, which stand in the calendar.`}
        value={readsBy.value === null ? '' : String(readsBy.value)}
        error={readsBy.error}
        onChange={({ target }) => readsBy.onChange(target.value === '' ? null : Number(target.value))}
        options={[
          { value: '', label: t`Nobody is sent` },
          ...departments.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <Select
        label={t`Deposit or fee for moving in`}
        hint={t`A payment of yours with a fixed amount that asks nothing. Whoever moves in pays it on the page of their move.`}
        value={fee.value === null ? '' : String(fee.value)}
        error={fee.error}
        onChange={({ target }) => fee.onChange(target.value === '' ? null : Number(target.value))}
        options={[
          { value: '', label: t`It costs nothing` },
          ...fees.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <TextField
        label={t`Documents that you ask for`}
        hint={t`Such as: a copy of the lease, and an identification with a photo. Empty: none in particular.`}
        optional
        {...form.field('documents')}
      />
      <TextField
        label={t`Days of AutoPay after the last day`}
        hint={t`So long it goes on for the account that was left, so that the final bill is paid.`}
        className="max-w-60"
        {...wholeNumber(form.choice('autopayDays'))}
      />
    </FormSlideOut>
  )
}
