import { Trans, useLingui } from '@lingui/react/macro'
import { translated } from '../../../../shared/messages.ts'
import { Assignee } from '../../../../web/cases/Assignee.tsx'
import { CasePanel } from '../../../../web/cases/CasePanel.tsx'
import { shortInstant } from '../../../../web/clock.ts'
import { useResponse } from '../../../../web/query.ts'
import { may } from '../../../../web/session.ts'
import { DetailList } from '../../../../web/ui/Card.tsx'
import { PhoneLink } from '../../../../web/ui/PhoneLink.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { supportCase, supportRequest } from '../../contract.ts'
import { categories, numberOf } from '../../rules.ts'
import { requestStates } from '../../states.ts'
import type { Details } from './details.ts'
import { reloadRequests } from './fresh-requests.ts'
import { Steps } from './Steps.tsx'
import { CaseSlideOut } from '../../../../web/cases/CaseSlideOut.tsx'
import { caseStatus } from '../../../../shared/cases.ts'

interface Props {
  companyId: number
  id: number
  onClose: () => void
}

/** Slide-out for one request: requester, timeline and available actions. */
export function RequestSlideOut({ companyId, id, onClose }: Props) {
  const { t } = useLingui()
  const subject = { companyId, subjectId: id }
  const response = useResponse(supportRequest, subject)
  return (
    <CaseSlideOut number={numberOf(id)} onClose={onClose} response={response}>
      {(data) => (
        <>
          <Person {...data} />
          <Steps {...data} />
          <CasePanel
            of={supportCase}
            subject={subject}
            viewCall={supportRequest}
            view={data}
            reload={reloadRequests}
            completeLabel={
              data.request.status === caseStatus.completed ? undefined : t`Complete the request with this reply`
            }
          />
        </>
      )}
    </CaseSlideOut>
  )
}

function Person({ request, holder }: Details) {
  const { t } = useLingui()
  const { name, email, phone, accountNumber, address, personId } = request
  // The customer search accepts only one of these values. An account number needs at least three characters.
  const searchParam = email ? ['email', email] : accountNumber.length > 2 ? ['accountNumber', accountNumber] : null
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="font-bold">{categories[request.category]}</p>
        <StatusBadge kind={requestStates.states[request.status].kind}>
          {translated(requestStates.labels[request.status])}
        </StatusBadge>
      </div>
      <DetailList
        className="text-table"
        details={[
          [t`Company`, request.company],
          [t`Received`, shortInstant(request.at)],
          [t`Name`, personId === null ? t`${name} (guest)` : t`${name} (signed in)`],
          [t`Email`, email || '–'],
          [t`Phone`, <PhoneLink key="phone" phone={phone} />],
          [t`Account Number`, accountNumber || '–'],
          [t`Service Address`, address || '–'],
          [t`Assigned to`, <Assignee key="assignee" name={holder.name} left={!holder.active} />],
        ]}
      />
      {searchParam && may('user_management', 'view') && (
        <p className="mt-4">
          <Link
            className="link"
            to={`/admin/customer/lookup?${new URLSearchParams([searchParam as [string, string]])}`}
          >
            <Trans>Look up this customer</Trans>
          </Link>
        </p>
      )}
    </>
  )
}
