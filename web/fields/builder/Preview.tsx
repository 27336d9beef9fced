import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { Definition } from '../../../shared/fields/definition.ts'
import { type PrefillData, prefilled } from '../../../shared/fields/prefill.ts'
import { toast } from '../../ui/Toasts.tsx'
import FieldSteps from '../FieldSteps.tsx'
import type { Upload } from '../surroundings.tsx'

interface PreviewProps {
  definition: Definition
  today: string
  prefill: PrefillData
  upload: Upload
  draft: string
}

/** Preview as on a phone, 375 pixels wide. People can fill in the fields, but nothing is saved. */
export function Preview({ definition, today, prefill, upload, draft }: PreviewProps) {
  const { t } = useLingui()
  const [round, setRound] = useState(0)
  return (
    <section
      aria-label={t`Preview`}
      className="min-w-0 lg:sticky lg:top-4 lg:max-h-[calc(100vh-2rem)] lg:self-start lg:overflow-y-auto"
    >
      <h3 className="mb-2">
        <Trans>Preview on a phone</Trans>
      </h3>
      <div className="mx-auto max-w-93.75 rounded-sm border border-edge bg-paper p-4">
        <FieldSteps
          // A change of the questions resets the preview. It then looks as if a person had just opened the form.
          key={`${JSON.stringify(definition)} ${round}`}
          definition={definition}
          start={prefilled(definition, prefill)}
          today={today}
          upload={upload}
          draft={`${draft}-preview`}
          isPreview
          doneLabel={<Trans>Submit</Trans>}
          onDone={() => {
            toast(t`All entries are correct. This is a preview, so nothing was submitted.`)
            setRound((n) => n + 1)
          }}
        />
      </div>
    </section>
  )
}
