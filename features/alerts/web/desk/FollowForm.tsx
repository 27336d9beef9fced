import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { setQuery } from '../../../../web/go.ts'
import { FormSlideOut } from '../../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { TextArea, TextField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { followAlert, type FollowForm, followForm, type showAlert } from '../../contract-staff.ts'
import { ENDED_IN_SPANISH } from '../../rules.ts'
import { refreshAlerts } from './fresh.ts'

interface Props {
  id: number
  kind: FollowForm['kind']
  loaded: ResponseOf<typeof showAlert>
  onClose: () => void
}

const nothing = { headline: '', description: '', instruction: '' }

/** Creates a follow-up to an alert. It goes to the same recipients. */
export function Follow({ id, kind, loaded, onClose }: Props) {
  const { t } = useLingui()
  const hasSpanish = loaded.form.es.headline !== ''
  const isUpdate = kind === 'update'
  /**
   * Initial text. An all-clear must not repeat the headline of the alert, because the headline contains instructions.
   */
  const first = (language: 'en' | 'es') => {
    const { headline } = loaded.form[language]
    if (isUpdate || headline === '') return loaded.form[language]
    if (kind === 'cancel') return { ...nothing, headline }
    return { ...nothing, headline: language === 'en' ? `${loaded.form.event} is over` : ENDED_IN_SPANISH + headline }
  }
  const form = useZodForm<FollowForm, FollowForm>(followForm, {
    defaultValues: {
      kind,
      en: first('en'),
      es: first('es'),
      expiresAt: isUpdate ? loaded.form.expiresAt : '',
    },
    draft: { name: `alert-${kind}-${id}` },
  })
  const send = async (values: FollowForm) => {
    const { message, alertId } = await call(followAlert, { alertId: id, form: values })
    toast(message)
    await refreshAlerts()
    setQuery({ follow: null, alert: String(alertId) })
  }
  const titles = {
    update: <Trans>Update alert {loaded.number}</Trans>,
    cancel: <Trans>Cancel alert {loaded.number}</Trans>,
    all_clear: <Trans>All-clear for alert {loaded.number}</Trans>,
  }
  const explanations = {
    update: (
      <Trans>
        This update will go to the recipients of alert {loaded.number}. The portal’s pages will then show the new text.
      </Trans>
    ),
    cancel: (
      <Trans>
        This cancellation will inform the recipients of alert {loaded.number} that the alert no longer applies, for
        example because it was sent by mistake.
      </Trans>
    ),
    all_clear: (
      <Trans>This all-clear will inform the recipients of alert {loaded.number} that the danger has passed.</Trans>
    ),
  }
  const saves = {
    update: <Trans>Send update</Trans>,
    cancel: <Trans>Cancel alert</Trans>,
    all_clear: <Trans>Send all-clear</Trans>,
  }
  return (
    <FormSlideOut title={titles[kind]} form={form} onSubmit={send} onClose={onClose} save={saves[kind]}>
      <p>{explanations[kind]}</p>
      {(hasSpanish ? (['en', 'es'] as const) : (['en'] as const)).map((language) => (
        <fieldset key={language} className="flex flex-col gap-5">
          <legend className="float-start w-full font-bold">{language === 'en' ? t`In English` : t`In Spanish`}</legend>
          <TextField label={t`Headline`} maxLength={160} lang={language} {...form.field(`${language}.headline`)} />
          <TextArea label={t`Details`} rows={3} optional lang={language} {...form.field(`${language}.description`)} />
          <TextArea
            label={t`Instructions`}
            rows={3}
            optional
            lang={language}
            {...form.field(`${language}.instruction`)}
          />
        </fieldset>
      ))}
      {isUpdate && <TextField label={t`Active until`} type="datetime-local" {...form.field('expiresAt')} />}
    </FormSlideOut>
  )
}
