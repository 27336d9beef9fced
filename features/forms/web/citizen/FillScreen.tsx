import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { formatCents } from '../../../../shared/money.ts'
import { call, CallError, messageOf } from '../../../../web/call.ts'
import { dropDraft } from '../../../../web/drafts.ts'
import FieldSteps from '../../../../web/fields/FieldSteps.tsx'
import { SavedLine, OthersNotice, useAutosave } from '../../../../web/fields/Keeping.tsx'
import type { Upload } from '../../../../web/fields/surroundings.tsx'
import { go } from '../../../../web/go.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { useParam, useTitle } from '../../../../web/routes.tsx'
import { sendFile } from '../../../../web/send-file.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Card } from '../../../../web/ui/Card.tsx'
import { ConfirmDialog } from '../../../../web/ui/Dialog.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../../web/ui/Page.tsx'
import { Failed, LoadingState } from '../../../../web/ui/States.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import {
  answerFiles,
  attachAnswerFile,
  discardForm,
  formDraft,
  saveFormDraft,
  residentForms,
  seeFormChanges,
  sendForm,
} from '../../contract.ts'
import { openNext } from './open-next.ts'
import { Review } from './Review.tsx'
import { pricesIn } from '../../../../shared/fields/prices.ts'
import { PriceList } from '../../../../web/fields/PriceList.tsx'
import { useReview } from '../use-review.ts'
import { submissionStatus } from '../../rules.ts'

type Draft = ResponseOf<typeof formDraft>

/** Uploads a file as soon as the person chooses it. The file is stored as long as a draft may refer to it. */
const upload: Upload = async (_field, file) => {
  const { file_id, name } = await sendFile({ takes: attachAnswerFile, by: answerFiles, file })
  return { owner: answerFiles.kind, id: file_id, name }
}

/** Screen for filling in a form: its steps, then a review before sending. */
export default function FillScreen() {
  const { t } = useLingui()
  const submissionId = Number(useParam('submissionId')) || 1
  // Not reloaded automatically, so that entries from another device do not replace the text typed here.
  const { data, error, refetch } = useResponse(
    formDraft,
    { submissionId },
    { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  )
  useTitle(data?.title ?? t`Form`)
  const [round, setRound] = useState(0)
  const refresh = async () => {
    await refetch()
    setRound((count) => count + 1)
  }
  return (
    // The minimum height keeps the footer below the visible area, so that the layout does not shift while the steps
    // load.
    <Measure className="min-h-dvh py-10 md:py-14">
      <p className="mb-3">
        <Link className="link" to="/forms-documents">
          <Trans>All forms</Trans>
        </Link>
      </p>
      <PageHead title={data?.title ?? <Trans>Form</Trans>}>
        {data && <span>{data.applicant ? t`${data.number}, for ${data.applicant}` : data.number}</span>}
      </PageHead>
      {data ? (
        <Filling key={`${data.id} ${data.version} ${round}`} draft={data} refresh={() => void refresh()} />
      ) : error instanceof CallError && ['wrong_status', 'waits_for_signer', 'not_found'].includes(error.code) ? (
        <Notice tone="warning" className="max-w-text">
          {error.message}
        </Notice>
      ) : error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingState shape="lines" rows={8}>
          <Trans>Loading your answers</Trans>
        </LoadingState>
      )}
    </Measure>
  )
}

function Filling({ draft, refresh }: { draft: Draft; refresh: () => void }) {
  const { id, definition, version, raw, changes, today, fee, requestedInfo, status } = draft
  const local = `form-${id}-${version}`
  const { saveState, keep, flush, others, elsewhere } = useAutosave({
    initialValues: raw,
    savedAt: draft.savedAt,
    local,
    send: (typed, before) => call(saveFormDraft, { submissionId: id, version, raw: typed, before }),
  })
  const [start, setStart] = useState<FieldValues>(raw)
  const review = useReview(refresh)
  const { answers } = review
  const [seen, setSeen] = useState(false)
  const see = async () => {
    setSeen(true)
    await call(seeFormChanges, { submissionId: id })
  }
  return (
    <div className="max-w-[38rem]">
      {requestedInfo && (
        <Notice
          tone="warning"
          className="mb-5"
          title={
            status === submissionStatus.rejected ? (
              <Trans>Your form was rejected:</Trans>
            ) : (
              <Trans>We have a question:</Trans>
            )
          }
        >
          <p className="whitespace-pre-line wrap-anywhere">{requestedInfo}</p>
        </Notice>
      )}
      {fee.kind === 'fixed' && fee.cents !== null && answers === null && (
        <p className="mb-4 text-muted">
          <Trans>The fee for this form is {formatCents(fee.cents)}. You will pay after you submit the form.</Trans>
        </p>
      )}
      {fee.kind === 'computed' && answers === null && <PriceList prices={pricesIn(definition)} />}
      {others.length > 0 && answers === null && (
        <OthersNotice others={others} onShow={() => void flush().then(refresh, () => {})} />
      )}
      <Card as="div">
        {answers ? (
          <Review
            of={{ ...draft, isSentBefore: status !== submissionStatus.draft, isForOther: draft.applicant !== '' }}
            answers={answers}
            payNext
            onBack={review.back}
            onSend={(reached) =>
              review.send(async () => {
                const sent = await call(sendForm, {
                  submissionId: id,
                  version,
                  answers: { ...answers },
                  ...reached,
                })
                toast(sent.message)
                await reload(residentForms)
                await openNext(sent)
              })
            }
          />
        ) : (
          <FieldSteps
            arrived={review.moved}
            definition={definition}
            start={start}
            today={today}
            upload={upload}
            draft={local}
            openAt={review.openAt}
            changes={seen ? [] : changes}
            onSeen={() => void see()}
            onKeep={(values) => {
              setStart(values)
              keep(values)
            }}
            doneLabel={<Trans>Review</Trans>}
            onDone={async (checked) => {
              // Saves everything on the server before the step ends.
              await flush()
              // If another device changed entries, the screen stays on the questions, so that the person checks those
              // entries first.
              if (!elsewhere.current) review.review(checked)
            }}
          />
        )}
      </Card>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <SavedLine saveState={saveState} onRetry={() => void flush().catch(() => {})} />
        {status === submissionStatus.draft && <Discard id={id} local={local} />}
      </div>
    </div>
  )
}

function Discard({ id, local }: { id: number; local: string }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const [busy, setBusy] = useState(false)
  const discard = async () => {
    setBusy(true)
    try {
      toast((await call(discardForm, { submissionId: id })).message)
      dropDraft(local)
      await reload(residentForms)
      go('/forms-documents')
    } catch (error) {
      toast(messageOf(error), 'danger')
      setBusy(false)
    }
  }
  return (
    <>
      <Button variant="quiet" size="small" onClick={() => setIsConfirming(true)}>
        <Trans>Discard form</Trans>
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title={<Trans>Discard this form?</Trans>}
          confirmLabel={<Trans>Discard</Trans>}
          danger
          busy={busy}
          onClose={() => setIsConfirming(false)}
          onConfirm={() => void discard()}
        >
          <Trans>This will delete your answers, which have not been submitted yet.</Trans>
        </ConfirmDialog>
      )}
    </>
  )
}
