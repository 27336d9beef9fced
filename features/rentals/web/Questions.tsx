import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call, CallError } from '../../../web/call.ts'
import { dropDraft } from '../../../web/drafts.ts'
import FieldSteps from '../../../web/fields/FieldSteps.tsx'
import { KeptLine, OthersNotice, useKeeping } from '../../../web/fields/Keeping.tsx'
import { uploadNothing } from '../../../web/fields/surroundings.tsx'
import { useAnswer } from '../../../web/query.ts'
import { Answered } from '../../../web/ui/Answered.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { type GivenAnswers, keepRentalDraft, rentalQuestions, seeRentalChanges } from '../contract-agreements.ts'

interface AgreementRef {
  resourceId: number
  /** Of one that is reserved already. */
  reservationId?: number
}

interface QuestionsProps extends AgreementRef {
  doneLabel: ReactNode
  /** Sends them. What it throws stands above the button, and what was typed stays. */
  onDone: (given: GivenAnswers) => Promise<void>
}

/** What a resource asks of whoever reserves it. What is typed is kept as it is typed, so that it is gone on with later. */
export function Questions({ doneLabel, onDone, ...about }: QuestionsProps) {
  // Asked once: what is typed here must not be replaced by what another device typed meanwhile.
  const answer = useAnswer(rentalQuestions, about, { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 })
  const [round, setRound] = useState(0)
  const renew = async () => {
    await answer.refetch()
    setRound((nth) => nth + 1)
  }
  return (
    <Answered answer={answer} shape="lines" loading={<Trans>Loading what is asked</Trans>}>
      {({ asked }) =>
        asked ? (
          <Asked
            key={`${asked.version} ${round}`}
            {...{ about, asked, doneLabel, onDone }}
            renew={() => void renew()}
          />
        ) : (
          <Notice>
            <Trans>Nothing is asked here any more. Load the page again.</Trans>
          </Notice>
        )
      }
    </Answered>
  )
}

interface AgreementQuestionsProps extends Pick<QuestionsProps, 'doneLabel' | 'onDone'> {
  about: AgreementRef
  asked: NonNullable<ResponseOf<typeof rentalQuestions>['asked']>
  renew: () => void
}

function Asked({ about, asked, doneLabel, onDone, renew }: AgreementQuestionsProps) {
  const { version, definition, start, today, changes, isDraft } = asked
  const local = `rental-${about.resourceId}-${about.reservationId ?? ''}-${version}`
  const [isSeen, setSeen] = useState(false)
  const { kept, keep, flush, others, seen } = useKeeping({
    given: start,
    savedAt: null,
    local,
    send: (raw, before) => call(keepRentalDraft, { ...about, version, raw, before }),
  })
  const show = () => {
    seen()
    renew()
  }
  return (
    <>
      {isDraft && (
        <p className="mb-3 text-muted">
          <Trans>You began this before. What you typed is here, and is not sent yet.</Trans>
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
          // Nothing is kept any more once it is sent, so what is under way comes first.
          await flush().catch(() => {})
          try {
            await onDone({ version, answers: { ...answers } })
          } catch (error) {
            if (!(error instanceof CallError) || error.code !== 'questions_changed') throw error
            toast(error.message, 'danger')
            return renew()
          }
          dropDraft(local)
        }}
      />
      <div className="mt-4">
        <KeptLine kept={kept} onRetry={() => void flush().catch(() => {})} />
      </div>
    </>
  )
}
