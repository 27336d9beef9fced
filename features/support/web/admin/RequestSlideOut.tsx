import { Trans, useLingui } from '@lingui/react/macro'
import { formatPhone } from '../../../../shared/phone.ts'
import { type Act, useAct } from '../../../../web/act.ts'
import { translated } from '../../../../shared/words.ts'
import { AnswerForm } from '../../../../web/cases/AnswerForm.tsx'
import { AssignCase } from '../../../../web/cases/AssignCase.tsx'
import { useReadCase } from '../../../../web/cases/read.ts'
import { Timeline } from '../../../../web/cases/Timeline.tsx'
import { WatchCase } from '../../../../web/cases/WatchCase.tsx'
import { shortInstant } from '../../../../web/clock.ts'
import { keyOf, queries, useAnswer } from '../../../../web/query.ts'
import { may } from '../../../../web/session.ts'
import { AnsweredSlideOut } from '../../../../web/ui/Answered.tsx'
import { Facts } from '../../../../web/ui/Card.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { Refusal } from '../../../../web/ui/Notice.tsx'
import { StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { supportCase, supportRequest } from '../../contract.ts'
import { categories, numberOf } from '../../rules.ts'
import { requestStates } from '../../states.ts'
import { Assignee } from './Assignee.tsx'
import type { Details } from './details.ts'
import { reloadRequests } from './fresh-requests.ts'
import { Steps } from './Steps.tsx'

interface Props {
  companyId: number
  id: number
  onClose: () => void
}

/** A request in full: who asks, what was said and done, and what can be done next. */
export function RequestSlideOut({ companyId, id, onClose }: Props) {
  const answer = useAnswer(supportRequest, { companyId, subjectId: id })
  const { act, busy, refusal } = useAct(reloadRequests)
  return (
    <AnsweredSlideOut
      title={<Trans>Request {numberOf(id)}</Trans>}
      onClose={onClose}
      answer={answer}
      loading={<Trans>Loading the request</Trans>}
      failed={<Trans>This request could not be loaded</Trans>}
    >
      {(data) => (
        <>
          <Refusal className="mb-4">{refusal}</Refusal>
          <Person {...data} />
          <Steps details={data} act={act} />
          <Case details={data} busy={busy} act={act} />
        </>
      )}
    </AnsweredSlideOut>
  )
}

/** Who has it, who watches, what was said and done, and the field to answer in. */
function Case({ details, busy, act }: { details: Details; busy: boolean; act: Act }) {
  const { t } = useLingui()
  const { request, can, lastMessageId } = details
  const subject = { companyId: request.companyId, subjectId: request.id }
  useReadCase(supportCase, { ...subject, lastId: lastMessageId })
  const holder = { personId: request.assignee?.id ?? null, departmentId: request.departmentId }
  const renew = async () => {
    await reloadRequests()
    return queries.getQueryData<Details>(keyOf(supportRequest, subject))?.lastMessageId
  }
  return (
    <>
      {can.assign && (
        <AssignCase
          key={JSON.stringify(holder)}
          of={supportCase}
          {...subject}
          holder={holder}
          label={t`Assign to other admin`}
          busy={busy}
          act={act}
        />
      )}
      <WatchCase of={supportCase} {...subject} view={details} busy={busy} act={act} />
      <section className="mt-7">
        <h3 className="mb-2 text-lg">
          <Trans>Conversation</Trans>
        </h3>
        <Timeline of={supportCase} way={subject} entries={details.entries} seenId={details.seenId} audience="staff" />
      </section>
      {can.note && (
        <AnswerForm
          of={supportCase}
          {...subject}
          view={details}
          hasEmail={request.email !== ''}
          completeLabel={request.status === 2 ? undefined : t`Complete the request with this reply`}
          renew={renew}
        />
      )}
    </>
  )
}

function Person({ request }: Details) {
  const { t } = useLingui()
  const { name, email, phone, accountNumber, address, personId } = request
  // The look-up finds by one of these alone, from three letters on.
  const known = email ? ['email', email] : accountNumber.length > 2 ? ['accountNumber', accountNumber] : null
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="font-bold">{categories[request.category]}</p>
        <StatusBadge kind={requestStates.states[request.status].kind}>
          {translated(requestStates.labels[request.status])}
        </StatusBadge>
      </div>
      <Facts
        className="text-table"
        facts={[
          [t`Company`, request.company],
          [t`Received`, shortInstant(request.at)],
          [t`Name`, personId === null ? t`${name}, a guest` : t`${name}, signed in`],
          [t`Email`, email || '–'],
          [
            t`Phone`,
            phone ? (
              <a className="link" href={`tel:${phone}`}>
                {formatPhone(phone)}
              </a>
            ) : (
              '–'
            ),
          ],
          [t`Account Number`, accountNumber || '–'],
          [t`Service Address`, address || '–'],
          [
            t`Assigned to`,
            <Assignee
              key="assignee"
              name={request.assignee?.name ?? request.department ?? ''}
              left={request.assignee?.active === false}
            />,
          ],
        ]}
      />
      {known && may('user_management', 'view') && (
        <p className="mt-4">
          <Link className="link" to={`/admin/customer/lookup?${new URLSearchParams([known as [string, string]])}`}>
            <Trans>Look this customer up</Trans>
          </Link>
        </p>
      )}
    </>
  )
}
