import { useLingui, Trans, Plural } from '@lingui/react/macro'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { showAlert } from '../../contract-staff.ts'
import { Part } from './Part.tsx'
import { Text } from '../../../../web/ui/Text.tsx'
import { prefixOf } from '../../rules.ts'

type ShowAlertResponse = ResponseOf<typeof showAlert>

/** Shows the alert as each channel delivers it. */
export function Preview({ alert: { form, kind, texts, calls } }: { alert: ShowAlertResponse }) {
  const { t } = useLingui()
  const languages = form.es.headline
    ? ([
        ['en', form.en],
        ['es', form.es],
      ] as const)
    : ([['en', form.en]] as const)
  return (
    <Part title={t`Message preview`}>
      {form.onPages && (
        <p className="mb-4 border-danger border-s-4 bg-tint px-4 py-3">
          <span className="block text-muted text-sm">
            <Trans>On every page</Trans>
          </span>
          <strong className="wrap-anywhere">{form.en.headline}</strong>
        </p>
      )}
      {form.byEmail &&
        languages.map(([language, alertText]) => (
          <div key={language} lang={language} className="mb-4 rounded-sm border border-line bg-surface px-4 py-3">
            <p className="text-muted text-sm" lang="en">
              {language === 'es' ? t`Email, in Spanish` : t`Email`}
            </p>
            <p className="wrap-anywhere font-bold">
              <Text>{prefixOf(kind, language)}</Text>
              <Text>{alertText.headline}</Text>
            </p>
            {[alertText.description, alertText.instruction].filter(Boolean).map((text) => (
              <p key={text} className="wrap-anywhere mt-2 whitespace-pre-line">
                {text}
              </p>
            ))}
          </div>
        ))}
      {texts.map(({ language, body, segments }) => (
        <div key={language} lang={language} className="mb-4 rounded-sm border border-line bg-surface px-4 py-3">
          <p className="text-muted text-sm" lang="en">
            <Text>{language === 'es' ? t`Text, in Spanish` : t`Text`}</Text> ·{' '}
            <Trans>
              billed as <Plural value={segments} one="# segment" other="# segments" />
            </Trans>
          </p>
          <p className="wrap-anywhere mt-1">{body}</p>
        </div>
      ))}
      {calls.map(({ language, text, seconds, minutes }) => (
        <div key={language} lang={language} className="mb-4 rounded-sm border border-line bg-surface px-4 py-3">
          <p className="text-muted text-sm" lang="en">
            <Text>{language === 'es' ? t`Call, in Spanish` : t`Call`}</Text> ·{' '}
            <Trans>
              played twice, about <Plural value={seconds} one="# second" other="# seconds" /> including the keypad
              instructions, billed as <Plural value={minutes} one="# minute" other="# minutes" />
            </Trans>
          </p>
          <p className="wrap-anywhere mt-1">{text}</p>
        </div>
      ))}
    </Part>
  )
}
