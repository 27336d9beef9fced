import { Trans } from '@lingui/react/macro'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { DetailList } from '../../../web/ui/Card.tsx'
import type { compareRecordFile } from '../contract.ts'

type Compared = ResponseOf<typeof compareRecordFile>

/** Callback after a record was created or changed. */
export type OnDone = (saved: { message: string; path: string }) => Promise<void>

/** Settings and questions of a record before it is saved. */
export function RecordPreview({ preview: { title, settings, steps } }: { preview: Compared['preview'] }) {
  const filled = settings.filter(({ text }) => text !== '')
  return (
    <div className="flex flex-col gap-5">
      <h3 className="wrap-anywhere text-base">{title}</h3>
      <DetailList
        details={filled.map(({ label, text }) => [
          label,
          <span key={label} className="whitespace-pre-line">
            {text}
          </span>,
        ])}
      />
      {steps.map((step, n) => (
        // The order of the steps never changes, so the index is a safe key.
        <div key={n}>
          <h4 className="wrap-anywhere font-bold text-sm">{step.title || <Trans>Questions</Trans>}</h4>
          {step.questions.length > 0 && (
            <ol className="mt-1 list-decimal ps-6">
              {step.questions.map((question, at) => (
                <li key={at} className="wrap-anywhere">
                  {question}
                </li>
              ))}
            </ol>
          )}
        </div>
      ))}
    </div>
  )
}
