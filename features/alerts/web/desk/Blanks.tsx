import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../../../web/ui/Button.tsx'
import type { ZodForm } from '../../../../web/ui/form.ts'
import { TextField } from '../../../../web/ui/TextField.tsx'
import type { AlertForm } from '../../contract-staff.ts'
import { blanksOf, fillBlanks } from '../../rules-blanks.ts'

/** Inputs for the blanks of a template. Each value goes into both languages. Nothing if the texts have no blanks. */
export function Blanks({ form }: { form: ZodForm<AlertForm, AlertForm> }) {
  const { t } = useLingui()
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const texts = { en: form.watch('en'), es: form.watch('es') }
  const blanks = blanksOf(texts)
  if (blanks.length === 0) return null
  const names = blanks.map(({ en, es }) => en || es)
  const fill = () => {
    const filled = fillBlanks(
      texts,
      blanks,
      names.map((name) => values[name] ?? ''),
    )
    for (const language of ['en', 'es'] as const)
      for (const part of ['headline', 'description', 'instruction'] as const)
        form.setValue(`${language}.${part}`, filled[language][part], { shouldDirty: true })
    setValues({})
  }
  return (
    <fieldset className="flex flex-col gap-4 border-line border-t pt-5">
      <legend className="float-start w-full font-bold">
        <Trans>Blanks</Trans>
      </legend>
      <p className="text-muted">
        <Trans>Each value goes into the English and the Spanish text.</Trans>
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        {names.map((name) => (
          <TextField
            key={name}
            label={t`Blank: ${name}`}
            autoComplete="off"
            maxLength={100}
            value={values[name] ?? ''}
            onChange={({ target }) => setValues({ ...values, [name]: target.value })}
          />
        ))}
      </div>
      <Button
        className="self-start"
        disabled={names.every((name) => (values[name] ?? '').trim() === '')}
        onClick={fill}
      >
        <Trans>Fill in the blanks</Trans>
      </Button>
    </fieldset>
  )
}
