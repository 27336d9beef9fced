import { Trans, useLingui } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import { call } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { toast } from '../../../web/ui/Toasts.tsx'
import { open311Settings, open311SettingsForm, saveOpen311Settings } from '../contract.ts'
import { SettingsOf } from '../../../web/ui/SettingsOf.tsx'

type Settings = z.output<typeof open311SettingsForm>

/** Slide-out with the setting that publishes photos through Open311. */
export function PhotosSlideOut({ onClose }: { onClose: () => void }) {
  const response = useResponse(open311Settings, {})
  return (
    <SettingsOf response={response} title={<Trans>Open311 settings</Trans>} onClose={onClose}>
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
    <FormSlideOut title={<Trans>Open311 settings</Trans>} form={form} onSubmit={save} onClose={onClose}>
      <Checkbox
        label={t`Publish photos of public requests`}
        hint={t`If this is on, anyone can see the photos in public requests, including any people and license plates in them. The app that submitted a request and any portal that received the request can always see its photos.`}
        {...form.field('publishPhotos')}
      />
    </FormSlideOut>
  )
}
