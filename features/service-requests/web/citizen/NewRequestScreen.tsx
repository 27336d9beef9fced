import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { call, CallError } from '../../../../web/call.ts'
import { idsOf } from '../../../../web/cases/AttachFiles.tsx'
import { draftOwner } from '../../../../web/drafts.ts'
import { useDraftSteps } from '../../../../web/use-draft-steps.ts'
import { useSent } from '../../../../web/use-sent.ts'
import FieldSteps from '../../../../web/fields/FieldSteps.tsx'
import { idIn } from '../../../../web/id-in.ts'
import { useResponse } from '../../../../web/query.ts'
import type { ScreenUrl } from '../../../../web/routes.tsx'
import { useSession } from '../../../../web/session.ts'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { Button, LinkButton } from '../../../../web/ui/Button.tsx'
import { Card } from '../../../../web/ui/Card.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../../web/ui/Page.tsx'
import { Scripted } from '../../../../web/ui/PlainForm.tsx'
import { EmptyState } from '../../../../web/ui/States.tsx'
import { nearRequests, requestChoices, requestQuestions, sendRequest } from '../../contract.ts'
import { ReviewStep } from './ReviewStep.tsx'
import { PlainReport } from './PlainReport.tsx'
import { NearStep } from './NearStep.tsx'
import { Received } from './Received.tsx'
import {
  questionsDraft,
  startedReport,
  type Choices,
  forgetReport,
  hasQuestions,
  type Report,
  type SendRequestResponse,
  STEPS_DRAFT,
} from './steps.ts'
import { ReportStep } from './DescribeStep.tsx'
import { WhereStep } from './WhereStep.tsx'

export const calls = ({ query }: ScreenUrl) => {
  const categoryId = idIn(query.get('category'))
  return categoryId === null
    ? [[requestChoices, {}] as const]
    : [[requestChoices, {}] as const, [requestQuestions, { categoryId }] as const]
}

/**
 * Form to report a problem. Its steps are location, nearby requests, questions, photos with contact details, and
 * summary.
 */
export default function NewRequestScreen() {
  const response = useResponse(requestChoices, {})
  const session = useSession()
  return (
    <Measure className="py-10 md:py-14">
      <div className="mx-auto max-w-text">
        <PageHead title={<Trans>Report a problem</Trans>}>
          {session ? (
            <Trans>
              Describe the problem and its location. You will get a number to follow the status of your request.
            </Trans>
          ) : (
            <Trans>
              Describe the problem and its location. You do not need an account. If you enter your email address, we
              will email you a link to follow the status.
            </Trans>
          )}
        </PageHead>
        <ResponseView response={response} shape="lines" loading={<Trans>Loading the categories</Trans>}>
          {(choices) => <StartReport choices={choices} />}
        </ResponseView>
      </div>
    </Measure>
  )
}

function StartReport({ choices }: { choices: Choices }) {
  if (choices.signInFirst)
    return (
      <div className="flex flex-col items-start gap-4">
        <Notice>
          <Trans>Sign in first. You need an account to report a problem here.</Trans>
        </Notice>
        <LinkButton to="/sign-in" variant="primary">
          <Trans>Sign In</Trans>
        </LinkButton>
      </div>
    )
  if (choices.categories.length === 0)
    return (
      <EmptyState title={<Trans>You cannot report problems here yet</Trans>}>
        <Trans>Please call us instead.</Trans>
      </EmptyState>
    )
  return (
    <Scripted otherwise={<PlainReport choices={choices} />}>
      <Steps choices={choices} />
    </Scripted>
  )
}

function Steps({ choices }: { choices: Choices }) {
  const [owner] = useState(draftOwner)
  const { draft: report, moved, to } = useDraftSteps(STEPS_DRAFT, owner, () => startedReport(owner))
  const [sent, setSent] = useSent<SendRequestResponse>('report')
  const { step, where, near = [], questions, answers = {}, details } = report
  const afterNear = (now: Report): Report['step'] => (hasQuestions(now.questions) ? 'questions' : 'details')
  const send = async () => {
    if (!where || !details || !questions) return
    const { files, ...typed } = details
    try {
      const { version } = questions
      setSent(await call(sendRequest, { ...where, ...typed, version, answers, files: idsOf(files) }))
      forgetReport(report, owner)
    } catch (error) {
      // If staff changed the category's questions since the report started, keeps the answers and shows the new
      // questions.
      if (error instanceof CallError && error.code === 'changed_since')
        to({ ...report, step: 'questions', questions: await call(requestQuestions, { categoryId: where.categoryId }) })
      throw error
    }
  }
  if (sent) return <Received sent={sent} onAnother={() => (setSent(null), to({ step: 'where' }))} />
  if (step === 'near' && where)
    return (
      <NearStep
        near={near}
        moved={moved}
        onOther={() => to({ ...report, step: afterNear(report) })}
        onFollowed={() => forgetReport(report, owner)}
        onBack={() => to({ ...report, step: 'where' })}
      />
    )
  if (step === 'questions' && questions)
    return (
      <Card as="div">
        <FieldSteps
          definition={questions.definition}
          start={answers}
          today={questions.today}
          upload={noUpload}
          draft={questionsDraft(report)}
          arrived={moved}
          doneLabel={<Trans>Continue</Trans>}
          onDone={(values) => to({ ...report, answers: values, step: 'details' })}
        />
        <Button className="mt-4" variant="quiet" onClick={() => to({ ...report, step: 'where' })}>
          <Trans>Back to topic and location</Trans>
        </Button>
      </Card>
    )
  if (step === 'details' && where && questions)
    return (
      <ReportStep
        choices={choices}
        moved={moved}
        onDetails={(values) => to({ ...report, details: values, step: 'review' })}
        onBack={() => to({ ...report, step: hasQuestions(questions) ? 'questions' : 'where' })}
      />
    )
  if (step === 'review' && where && details && questions)
    return (
      <ReviewStep
        choices={choices}
        report={{ where, details, questions, answers }}
        moved={moved}
        onSend={send}
        onChange={(nextStep) => to({ ...report, step: nextStep })}
      />
    )
  return (
    <WhereStep
      choices={choices}
      moved={moved}
      onWhere={async (values) => {
        const [{ requests }, loadedQuestions] = await Promise.all([
          call(nearRequests, values),
          call(requestQuestions, { categoryId: values.categoryId }),
        ])
        const same = where?.categoryId === values.categoryId && questions?.version === loadedQuestions.version
        const now: Report = {
          ...report,
          where: values,
          near: requests,
          questions: loadedQuestions,
          answers: same ? answers : {},
        }
        to({ ...now, step: requests.length > 0 ? 'near' : afterNear(now) })
      }}
    />
  )
}

/** Category questions have no file fields, because people add photos in the description step. */
const noUpload = () => Promise.reject(new Error('questions of requests take no files'))
