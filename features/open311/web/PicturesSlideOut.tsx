import { Trans, useLingui } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import { call } from '../../../web/call.ts'
import { reload, useAnswer } from '../../../web/query.ts'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { toast } from '../../../web/ui/Toasts.tsx'
import { open311Settings, open311SettingsForm, saveOpen311Settings } from '../contract.ts'
import { SettingsOf } from '../../../web/ui/SettingsOf.tsx'

type Settings = z.output<typeof open311SettingsForm>

/** Setting for the data that Open311 publishes. */
export function PicturesSlideOut({ onClose }: { onClose: () => void }) {
  const answer = useAnswer(open311Settings, {})
  return (
    <SettingsOf answer={answer} title={<Trans>Settings of Open311</Trans>} onClose={onClose}>
      {({ settings }) => <Edit settings={settings} onClose={onClose} />}
    </SettingsOf>
  )
}

function Edit({ settings, onClose }: { settings: Settings; onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(open311SettingsForm, { defaultValues: settings, basis: settings })
  const save = async (values: Settings) => {
    toast((await call(saveOpen311Settings, { ...values, basis: form.basis })).message)
    await reload(open311Settings)
    onClose()
  }
  return (
    <FormSlideOut title={<Trans>Settings of Open311</Trans>} form={form} onSubmit={save} onClose={onClose}>
      <Checkbox
        label={t`Show pictures to other portals`}
        hint={t`Pictures of requests that stand on the public map may be seen by everybody then, people and license plates on them too. Whoever sent a request, or was sent one by you, sees its pictures in any case.`}
        {...form.field('showPictures')}
      />
    </FormSlideOut>
  )
}
