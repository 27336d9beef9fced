import { useLingui } from '@lingui/react/macro'
import type { FieldBinding } from '../../../../web/ui/form.ts'
import { TextArea, TextField } from '../../../../web/ui/TextField.tsx'

type Language = 'en' | 'es'

interface TextFieldsProps {
  fields: (name: `${Language}.${'headline' | 'description' | 'instruction'}`) => FieldBinding
  language: Language
  title: string
}

/** Inputs for the texts of an alert or a template in one language. */
export function TextFields({ fields, language, title }: TextFieldsProps) {
  const { t } = useLingui()
  const isOther = language !== 'en'
  return (
    <fieldset className="flex flex-col gap-5 border-line border-t pt-5">
      <legend className="float-start w-full font-bold">{title}</legend>
      <TextField
        label={t`Headline`}
        hint={
          isOther
            ? t`Without a Spanish headline, everyone receives the English text.`
            : t`The text message and the banner start with this headline.`
        }
        maxLength={160}
        optional={isOther}
        lang={language}
        {...fields(`${language}.headline`)}
      />
      <TextArea label={t`Details`} rows={3} optional lang={language} {...fields(`${language}.description`)} />
      <TextArea label={t`Instructions`} rows={3} optional lang={language} {...fields(`${language}.instruction`)} />
    </fieldset>
  )
}
