import { Trans, useLingui } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { reload, useAnswer } from '../../../web/query.ts'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { type Bound, useZodForm } from '../../../web/ui/form.ts'
import { SettingsOf } from '../../../web/ui/SettingsOf.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { movingSettings, saveMovingSettings, settingsForm } from '../contract.ts'

interface Props {
  onClose: () => void
}

/** How the town deals with moves: guests, and which days can be chosen. */
export function SettingsSlideOut({ onClose }: Props) {
  const answer = useAnswer(movingSettings, {})
  return (
    <SettingsOf answer={answer} title={<Trans>Settings of moves</Trans>} onClose={onClose}>
      {(known) => <Edit answer={known} onClose={onClose} />}
    </SettingsOf>
  )
}

/** What is no number becomes NaN, which the form's rules refuse under its field. */
const days = ({ value, onChange, ...bound }: Bound<number>) => ({
  ...bound,
  inputMode: 'numeric' as const,
  autoComplete: 'off',
  value: Number.isFinite(value) ? String(value) : '',
  onChange: ({ target }: { target: { value: string } }) =>
    onChange(/^\d{1,4}$/.test(target.value.trim()) ? Number(target.value) : Number.NaN),
})

function Edit({ answer: { settings, can }, onClose }: Props & { answer: AnswerOf<typeof movingSettings> }) {
  const { t } = useLingui()
  const form = useZodForm(settingsForm, {
    defaultValues: settings,
    basis: settings,
    draft: { name: 'moving-settings' },
  })
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
        {...days(form.choice('leadDays'))}
      />
      <TextField
        label={t`Days ahead`}
        hint={t`No later day can be chosen.`}
        className="max-w-60"
        {...days(form.choice('farthestDays'))}
      />
    </FormSlideOut>
  )
}
