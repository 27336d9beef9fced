import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call, CallError } from '../../../web/call.ts'
import { dropDraft } from '../../../web/drafts.ts'
import FieldSteps from '../../../web/fields/FieldSteps.tsx'
import { SavedLine, OthersNotice, useAutosave } from '../../../web/fields/Keeping.tsx'
import { uploadNothing } from '../../../web/fields/surroundings.tsx'
import { useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import type { QuestionsProps } from '../../rentals/web/parts/page-parts.ts'
import { saveRentalDraft, rentalQuestions, seeRentalChanges } from '../contract-agreements.ts'

type AgreementRef = Pick<QuestionsProps, 'resourceId' | 'reservationId'>

/** Questions of a resource for the renter. Saves answers as a draft while the renter types. */
export default function Questions({ doneLabel, onDone, ...about }: QuestionsProps) {
  // Loaded once, so that a draft from another device cannot overwrite the answers typed here.
  const response = useResponse(rentalQuestions, about, { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 })
  const [round, setRound] = useState(0)
  const refresh = async () => {
    await response.refetch()
    setRound((count) => count + 1)
  }
  return (
    <ResponseView response={response} shape="lines" loading={<Trans>Loading questions</Trans>}>
      {({ questions }) =>
        questions ? (
          <QuestionsForm
            key={`${questions.version} ${round}`}
            {...{ about, questions, doneLabel, onDone }}
            refresh={() => void refresh()}
          />
        ) : (
          <Notice>
            <Trans>These questions are no longer needed. Reload the page.</Trans>
          </Notice>
        )
      }
    </ResponseView>
  )
}

interface AgreementQuestionsProps extends Pick<QuestionsProps, 'doneLabel' | 'onDone'> {
  about: AgreementRef
  questions: NonNullable<ResponseOf<typeof rentalQuestions>['questions']>
  refresh: () => void
}

function QuestionsForm({ about, questions, doneLabel, onDone, refresh }: AgreementQuestionsProps) {
  const { version, definition, start, today, changes, isDraft } = questions
  const local = `rental-${about.resourceId}-${about.reservationId ?? ''}-${version}`
  const [isSeen, setSeen] = useState(false)
  const { saveState, keep, flush, others, seen } = useAutosave({
    initialValues: start,
    savedAt: null,
    local,
    send: (raw, before) => call(saveRentalDraft, { ...about, version, raw, before }),
  })
  const show = () => {
    seen()
    refresh()
  }
  return (
    <>
      {isDraft && (
        <p className="mb-3 text-muted">
          <Trans>You started this form earlier. Your answers are saved but not submitted yet.</Trans>
        </p>
      )}
      {others.length > 0 && <OthersNotice others={others} onShow={() => void flush().then(show, () => {})} />}
      <FieldSteps
        {...{ definition, start, today, doneLabel }}
        upload={uploadNothing}
        draft={local}
        changes={isSeen ? [] : changes}
        onSeen={() => {
          setSeen(true)
          void call(seeRentalChanges, about)
        }}
        onKeep={keep}
        onDone={async (answers) => {
          // Waits for pending draft saves, because no draft can be saved after the answers are submitted.
          await flush().catch(() => {})
          try {
            await onDone({ version, answers: { ...answers } })
          } catch (error) {
            if (!(error instanceof CallError) || error.code !== 'questions_changed') throw error
            toast(error.message, 'danger')
            return refresh()
          }
          dropDraft(local)
        }}
      />
      <div className="mt-4">
        <SavedLine saveState={saveState} onRetry={() => void flush().catch(() => {})} />
      </div>
    </>
  )
}
