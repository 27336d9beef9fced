import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatPhone } from '../../../../shared/phone.ts'
import { sentenceOf } from '../../../../web/call.ts'
import { shortInstant } from '../../../../web/clock.ts'
import { useAnswer } from '../../../../web/query.ts'
import { may } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Facts } from '../../../../web/ui/Card.tsx'
import { SlideOut } from '../../../../web/ui/Dialog.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { Failed, LoadingState } from '../../../../web/ui/States.tsx'
import { StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { supportRequest } from '../../contract.ts'
import { categories, numberOf, statuses } from '../../rules.ts'
import { statusKinds } from '../status-kinds.ts'
import { AnswerForm } from './AnswerForm.tsx'
import { Assign } from './Assign.tsx'
import { Assignee } from './Assignee.tsx'
import type { Act, Details, People } from './details.ts'
import { Entries } from './Entries.tsx'
import { reloadRequests } from './fresh-requests.ts'
import { Steps } from './Steps.tsx'

interface Props {
  companyId: number
  id: number
  people: People
  onClose: () => void
}

/** A request in full: who asks, what was said and done, and what can be done next. */
export function RequestSlideOut({ companyId, id, people, onClose }: Props) {
  const { data, error, refetch } = useAnswer(supportRequest, { companyId, requestId: id })
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const act: Act = async (work) => {
    setBusy(true)
    setRefusal('')
    try {
      toast((await work()).message)
    } catch (problem) {
      setRefusal(sentenceOf(problem))
    }
    await reloadRequests()
    setBusy(false)
  }
  return (
    <SlideOut
      title={<Trans>Request {numberOf(id)}</Trans>}
      onClose={onClose}
      actions={
        <Button onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      }
    >
      {!data && !error && (
        <LoadingState shape="lines">
          <Trans>Loading the request</Trans>
        </LoadingState>
      )}
      {error && !data && (
        <Failed error={error} title={<Trans>This request could not be loaded</Trans>} onRetry={() => void refetch()} />
      )}
      {data && (
        <>
          {refusal && (
            <Notice tone="danger" className="mb-4">
              <span role="alert">{refusal}</span>
            </Notice>
          )}
          <Person {...data} />
          <Steps details={data} busy={busy} act={act} />
          {data.can.assign && (
            <Assign key={data.request.assignee?.id} details={data} people={people} busy={busy} act={act} />
          )}
          <Entries entries={data.entries} />
          {data.can.note && <AnswerForm details={data} />}
        </>
      )}
    </SlideOut>
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
        <StatusBadge kind={statusKinds[request.status]}>{statuses[request.status]}</StatusBadge>
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
          [t`Assigned to`, <Assignee assignee={request.assignee} />],
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
