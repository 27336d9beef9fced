import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { call, messageOf } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { questionSources, saveFormQuestions, showForm } from '../contract.ts'
import type { FormDetails } from './form.ts'

/** Questions that a municipality's form gets from the template, and the choice of their source. */
export function Questions({ form: { id, questions, source, can } }: { form: FormDetails['form'] }) {
  const { t } = useLingui()
  const [chosen, setChosen] = useState(source)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const sources = useResponse(questionSources, {}).data?.sources ?? []
  const save = async () => {
    setBusy(true)
    setError(undefined)
    try {
      toast((await call(saveFormQuestions, { templateId: id, source: chosen, basis: { source } })).message)
      await reload(showForm)
    } catch (problem) {
      setError(messageOf(problem))
    }
    setBusy(false)
  }
  return (
    <section className="mt-7">
      <h3 className="mb-2 text-lg">
        <Trans>Questions</Trans>
      </h3>
      <p className="mb-3 text-muted">
        {questions === 0 ? (
          <Trans>This form has no questions. A municipality that uses the form must write them.</Trans>
        ) : (
          <Plural
            value={questions}
            one="A municipality that uses the form gets # question and the settings. It can change them."
            other="A municipality that uses the form gets # questions and the settings. It can change them."
          />
        )}
      </p>
      {can['edit'] && (
        <div className="flex flex-col gap-3">
          <Select
            label={t`Questions from`}
            value={chosen}
            error={error}
            options={[
              { value: '', label: t`No questions` },
              ...sources.map(({ key, title, questions: count }) => ({ value: key, label: t`${title} (${count})` })),
            ]}
            onChange={({ target }) => setChosen(target.value)}
          />
          <Button className="self-start" disabled={chosen === source} busy={busy} onClick={() => void save()}>
            <Trans>Save questions</Trans>
          </Button>
        </div>
      )}
    </section>
  )
}
