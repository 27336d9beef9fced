import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { formatCents } from '../../../../shared/money.ts'
import { QueryItem } from '../../../../web/query-item.tsx'
import { call, messageOf } from '../../../../web/call.ts'
import { Assignee } from '../../../../web/cases/Assignee.tsx'
import { CasePanel } from '../../../../web/cases/CasePanel.tsx'
import { CaseSlideOut } from '../../../../web/cases/CaseSlideOut.tsx'
import { reloadCases } from '../../../../web/cases/fresh.ts'
import { shortInstant } from '../../../../web/clock.ts'
import { download } from '../../../../web/download.ts'
import { useResponse } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { DetailList } from '../../../../web/ui/Card.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { MoveButtons } from '../../../../web/ui/MoveButtons.tsx'
import { UnprintableNotice } from '../../../../web/ui/office/UnprintableNotice.tsx'
import { StateBadge } from '../../../../web/ui/StatusBadge.tsx'
import { PhoneLink } from '../../../../web/ui/PhoneLink.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { IssuedByUs } from '../documents/IssuedByUs.tsx'
import { changeSubmission, staffSubmission, downloadAnswerFile, submissionCase } from '../../contract.ts'
import { submissions } from '../../list.ts'
import { documentOfSubmission } from '../../contract-documents.ts'
import { numberOf } from '../../rules.ts'
import { submissionStates } from '../../states.ts'
import { Money } from '../../../../web/ui/Money.tsx'
import { Code, Text } from '../../../../web/ui/Text.tsx'

type Details = ResponseOf<typeof staffSubmission>

/** Panel for the submission with the id from the URL, shown over the list. */
export const RequestedSubmission = () => (
  <QueryItem name="submission">{(id, close) => <SubmissionSlideOut id={id} onClose={close} />}</QueryItem>
)

const refresh = () => reloadCases(submissionCase, [submissions.call, staffSubmission, documentOfSubmission])

function SubmissionSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  const subject = { subjectId: id }
  const response = useResponse(staffSubmission, subject)
  return (
    <CaseSlideOut number={numberOf(id)} title={t`Submission ${numberOf(id)}`} onClose={onClose} response={response}>
      {(data) => (
        <>
          <SubmissionDetails {...data} />
          <IssuedByUs subjectId={id} />
          <MoveButtons
            of={submissionStates}
            can={data.can.steps}
            dialog={{
              text: (event) => (
                <>
                  {event === 'revoke' ? (
                    <Trans>
                      The issued document will no longer be valid. The text you enter here will be emailed to the
                      document holder.
                    </Trans>
                  ) : (
                    <Trans>The text you enter here will be emailed to the applicant.</Trans>
                  )}
                  {event !== 'request_info' && <RetainedFee payments={data.submission.payments} />}
                </>
              ),
              hint: t`In plain words, describe any missing or incorrect information, or give the reason for your decision.`,
              draft: `submission:${id}`,
            }}
            onPress={async (event, reason) => {
              toast((await call(changeSubmission, { ...subject, event, reason })).message)
              await refresh()
            }}
          />
          <CasePanel
            of={submissionCase}
            subject={subject}
            viewCall={staffSubmission}
            view={data}
            reload={refresh}
            completeLabel={undefined}
          />
        </>
      )}
    </CaseSlideOut>
  )
}

/** Notice to staff that the fee stays paid until they refund it. */
function RetainedFee({ payments }: Pick<Details['submission'], 'payments'>) {
  return payments.map(({ paymentId, cents }) => (
    <span key={paymentId} className="mt-2 block">
      <Trans>
        The fee of {formatCents(cents)} is not refunded automatically. To return the fee, refund{' '}
        <Link className="link" to={paymentPath(paymentId)}>
          payment P{paymentId}
        </Link>{' '}
        afterward.
      </Trans>
    </span>
  ))
}

const paymentPath = (id: number) => `/municipality/reports/payments?payment=${id}`

function SubmissionDetails({ submission, holder }: Details) {
  const { t } = useLingui()
  const { id, title, status, name, email, phone, enteredBy, personId, isImported, sentAt } = submission
  const { decidedAt, decidedBy, answers, files, feeCents, paidCents, signer, issues, version } = submission
  const signedAt = signer.signedAt && shortInstant(signer.signedAt)
  const signedText = !signedAt
    ? t`${signer.name}, not signed yet`
    : signer.evidence?.typed === ''
      ? t`${signer.name}, ${signedAt}, signed by hand`
      : t`${signer.name}, ${signedAt}`
  const details: [string, ReactNode][] = [
    ...(isImported ? ([[t`Source`, t`Previous system`]] as [string, ReactNode][]) : []),
    ...(sentAt && !isImported ? ([[t`Submitted`, shortInstant(sentAt)]] as [string, ReactNode][]) : []),
    [t`From`, personId === null && !isImported ? t`${name}, at the counter` : name],
    ...(enteredBy ? ([[t`Filled out by`, enteredBy]] as [string, ReactNode][]) : []),
    [t`Email`, email || '–'],
    [t`Phone`, <PhoneLink key="phone" phone={phone} />],
    [t`Assigned to`, <Assignee key="assignee" name={holder.name} left={!holder.active} />],
    ...(feeCents > 0
      ? ([[t`Fee`, t`${formatCents(feeCents)}, ${formatCents(paidCents)} paid`]] as [string, ReactNode][])
      : []),
    ...submission.payments.map(({ paymentId, cents }): [string, ReactNode] => [
      t`Payment`,
      <Link key={paymentId} className="link" to={paymentPath(paymentId)}>
        <Code>{`P${paymentId}`}</Code>, <Money cents={cents} />
      </Link>,
    ]),
    ...(signer.name ? ([[t`Second signer`, signedText]] as [string, ReactNode][]) : []),
    ...(issues ? ([[t`Issued on approval`, issues]] as [string, ReactNode][]) : []),
    ...(decidedAt && !isImported
      ? ([[t`Decided`, t`${shortInstant(decidedAt)} by ${decidedBy}`]] as [string, ReactNode][])
      : []),
    [t`Form version`, String(version)],
  ]
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="font-bold">{title}</p>
        <StateBadge of={submissionStates} state={status} />
      </div>
      <UnprintableNotice texts={[name, signer.name, ...answers.map(({ value }) => value)]} />
      <DetailList className="text-table" details={details} />
      <Changes rounds={submission.rounds} />
      <section className="mt-5">
        <h3 className="mb-2 text-base">
          <Trans>Answers</Trans>
        </h3>
        <DetailList
          className="text-table"
          details={answers.map(({ label, value }) => [label, value || '–'] as const)}
        />
      </section>
      {files.length > 0 && (
        <section className="mt-5">
          <h3 className="mb-2 text-base">
            <Trans>Files</Trans>
          </h3>
          <ul className="flex flex-col items-start gap-2">
            {files.map((file) => (
              <li key={file.id}>
                {file.state === 'clean' ? (
                  <Button
                    size="small"
                    icon={Download}
                    onClick={() =>
                      void download(downloadAnswerFile, { subjectId: id, fileId: file.id }).catch((error: unknown) =>
                        toast(messageOf(error), 'danger'),
                      )
                    }
                  >
                    {file.name}
                  </Button>
                ) : (
                  <Trans>{file.name} is waiting for the virus scan</Trans>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** Changes of each resubmission, with the old and new values next to each other. */
function Changes({ rounds }: { rounds: Details['submission']['rounds'] }) {
  const again = rounds.filter(({ no }) => no > 1)
  if (again.length === 0) return null
  return (
    <section className="mt-5 flex flex-col gap-4">
      {again.map(({ no, at, by, changes }) => (
        <div key={no}>
          <h3 className="mb-1 text-base">
            <Trans>Changes in this resubmission</Trans>
          </h3>
          <p className="mb-2 text-muted text-sm">
            <Text>{shortInstant(at)}</Text>, <Code>{by}</Code>
          </p>
          {changes.length === 0 ? (
            <p>
              <Trans>No changes. The answers were resubmitted unchanged.</Trans>
            </p>
          ) : (
            <div className="overflow-x-auto">
              <table className="w-full text-table">
                <thead>
                  <tr className="border-line border-b text-start">
                    <th scope="col" className="py-1 pe-3 text-start">
                      <Trans>Question</Trans>
                    </th>
                    <th scope="col" className="py-1 pe-3 text-start">
                      <Trans>Before</Trans>
                    </th>
                    <th scope="col" className="py-1 text-start">
                      <Trans>After</Trans>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {changes.map((change) => (
                    <tr key={change.label} className="border-line border-b align-top">
                      <th scope="row" className="py-1 pe-3 text-start font-normal">
                        {change.label}
                      </th>
                      <td className="wrap-anywhere py-1 pe-3 text-muted">{change.before || '–'}</td>
                      <td className="wrap-anywhere py-1 font-bold">{change.after || '–'}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </div>
      ))}
    </section>
  )
}
