import { Trans, useLingui } from '@lingui/react/macro'
import { Inbox, Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { RowOf } from '../../../../shared/list.ts'
import { Assignee } from '../../../../web/cases/Assignee.tsx'
import { useFreshCases } from '../../../../web/cases/fresh.ts'
import { RepliedMark } from '../../../../web/cases/RepliedMark.tsx'
import { useCaseMarks } from '../../../../web/cases/use-case-marks.tsx'
import { setQuery } from '../../../../web/go.ts'
import { ListScreen } from '../../../../web/list/ListScreen.tsx'
import { useQueryParam } from '../../../../web/routes.tsx'
import { may } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { EmailText } from '../../../../web/ui/office/EmailText.tsx'
import { Section, Sections } from '../../../../web/ui/office/Sections.tsx'
import { EmptyState } from '../../../../web/ui/States.tsx'
import { Text } from '../../../../web/ui/Text.tsx'
import { StateBadge, StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { requestCase } from '../../contract.ts'
import { inbox } from '../../list.ts'
import { requestStates } from '../../states.ts'
import { useRequestBulk } from './bulk.tsx'
import { inboxFilters } from './filters.tsx'
import { INBOX, requestCalls } from './fresh.ts'
import { RequestFromQuery } from './RequestSlideOut.tsx'

const NewRequest = lazy(() => import('./NewRequest.tsx'))

type Row = RowOf<typeof inbox>

const open = ({ id }: Pick<Row, 'id'>) => setQuery({ request: String(id) })

/** 'Customer Communications' (spec 2.3): inbox for staff who work on requests. */
export default function InboxScreen() {
  useFreshCases(requestCase, requestCalls)
  return (
    <>
      <Requests />
      <RequestFromQuery />
      {may('requests', 'create') && <NewFromQuery />}
    </>
  )
}

/** Panel for a request that staff enter, at `?new=request`. */
const NewFromQuery = () =>
  useQueryParam('new') === 'request' && (
    <Suspense>
      <NewRequest onClose={() => setQuery({ new: null })} />
    </Suspense>
  )

/** Buttons for the most frequent filters. */
function Views() {
  const assigneeParam = useQueryParam('assignee') ?? ''
  const late = useQueryParam('late') === '1'
  const is = (assignee: string) => !late && assigneeParam === assignee
  return (
    <Sections>
      <Section to={INBOX} active={is('')}>
        <Trans>All</Trans>
      </Section>
      <Section to={`${INBOX}?assignee=department`} active={is('department')}>
        <Trans>My department</Trans>
      </Section>
      <Section to={`${INBOX}?assignee=me`} active={is('me')}>
        <Trans>Assigned to me</Trans>
      </Section>
      <Section to={`${INBOX}?late=1`} active={late}>
        <Trans>Overdue</Trans>
      </Section>
      <Section to="/municipality/reports/communication" active={false}>
        <Trans>Report</Trans>
      </Section>
    </Sections>
  )
}

function Requests() {
  const { t } = useLingui()
  const marks = useCaseMarks(requestCase)
  const bulk = useRequestBulk()
  return (
    <>
      <ListScreen
        of={inbox}
        rowName={({ number }) => number}
        filters={inboxFilters}
        actions={{ view: open }}
        headActions={
          may('requests', 'create') && (
            <Button variant="primary" icon={Plus} onClick={() => setQuery({ new: 'request' })}>
              <Trans>New request</Trans>
            </Button>
          )
        }
        onRow={open}
        bulk={bulk.actions}
        tabs={<Views />}
        empty={
          <EmptyState icon={Inbox} title={<Trans>No requests</Trans>}>
            <Trans>New requests from residents appear here. Choose another status to see completed requests.</Trans>
          </EmptyState>
        }
        cells={{
          number: ({ number, id }) => (
            <>
              <strong className="whitespace-nowrap">{number}</strong>
              <Text>{marks.unread(id)}</Text>
            </>
          ),
          title: ({ subject, id }, label) => (
            <>
              <Text>{marks.present(id)}</Text>
              <strong>{label}</strong> <span className="text-muted">{subject}</span>
            </>
          ),
          email: ({ email }) => <EmailText text={email} />,
          status: ({ status, replyStatus, callBack }) => (
            <>
              <StateBadge of={requestStates} state={status} />
              {replyStatus === 'wrote again' && requestStates.states[status].open && <RepliedMark />}
              {callBack && <StatusBadge kind="attention" className="ms-2">{t`Call back`}</StatusBadge>}
            </>
          ),
          dueAt: ({ late, status }, _text, content) => (
            <>
              <Text>{content}</Text>
              {late && requestStates.states[status].open && (
                <StatusBadge kind="bad" className="ms-2">{t`Overdue`}</StatusBadge>
              )}
            </>
          ),
          assignee: ({ assignee, assigneeId, assigneeActive }) => (
            <Assignee name={assignee} left={assigneeId !== null && !assigneeActive} />
          ),
        }}
      />
      <Text>{bulk.dialog}</Text>
    </>
  )
}
