import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { Definition } from '../../shared/fields/definition.ts'
import { toast } from '../ui/Toasts.tsx'
import FieldSteps from './FieldSteps.tsx'
import { uploadNothing } from './surroundings.tsx'

interface PreviewProps {
  /** Name that, together with the version, distinguishes the drafts of different previews. */
  name: string
  of: { published: Definition; latestVersion: number; today: string }
  doneLabel: ReactNode
}

/** Preview of the fields as a phone shows them. People can fill in the fields, but nothing is saved. */
export function Preview({ name, of: { published, latestVersion, today }, doneLabel }: PreviewProps) {
  const { t } = useLingui()
  const [round, setRound] = useState(0)
  return (
    <section aria-label={t`Preview`} className="border-line border-t pt-5">
      <h3 className="mb-2">
        <Trans>Preview on a phone</Trans>
      </h3>
      <div className="max-w-93.75 rounded-sm border border-edge bg-paper p-4">
        <FieldSteps
          key={`${name} ${latestVersion} ${round}`}
          definition={published}
          start={{}}
          today={today}
          upload={uploadNothing}
          draft={`${name}-preview-${latestVersion}`}
          doneLabel={doneLabel}
          isPreview
          onDone={() => {
            toast(t`All entries are correct. This is a preview, so nothing was submitted.`)
            setRound((n) => n + 1)
          }}
        />
      </div>
    </section>
  )
}
