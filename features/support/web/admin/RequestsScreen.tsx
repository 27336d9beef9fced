import type { RowOf } from '../../../../shared/list.ts'
import { Assignee } from '../../../../web/cases/Assignee.tsx'
import { useFreshCases } from '../../../../web/cases/fresh.ts'
import { RepliedMark } from '../../../../web/cases/RepliedMark.tsx'
import { useCaseMarks } from '../../../../web/cases/use-case-marks.tsx'
import { setQuery } from '../../../../web/go.ts'
import { ListScreen } from '../../../../web/list/ListScreen.tsx'
import { idIn } from '../../../../web/id-in.ts'
import { useQueryParam } from '../../../../web/routes.tsx'
import { EmailText } from '../../../../web/ui/office/EmailText.tsx'
import { StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { supportCase } from '../../contract.ts'
import { requestList } from '../../list.ts'
import { requestStates } from '../../states.ts'
import { requestCalls } from './fresh-requests.ts'
import { requestFilters } from './RequestFilters.tsx'
import { RequestSlideOut } from './RequestSlideOut.tsx'
import { Code, Text } from '../../../../web/ui/Text.tsx'

type Request = RowOf<typeof requestList>

const open = ({ companyId, id }: Request) => setQuery({ request: `${companyId}.${id}` })

/** Screen with the support requests of all companies. Shows open requests by default. */
export default function RequestsScreen() {
  const marks = useCaseMarks(supportCase)
  const [companyId = null, requestId = null] = (useQueryParam('request') ?? '').split('.').map(idIn)
  useFreshCases(supportCase, requestCalls)
  return (
    <>
      <ListScreen
        of={requestList}
        rowName={({ number }) => number}
        filters={requestFilters}
        actions={{ view: open }}
        onRow={open}
        cells={{
          number: ({ number, companyId: company, id }) => (
            <>
              <strong>{number}</strong>
              <Text>{marks.unread(id, company)}</Text>
            </>
          ),
          category: ({ subject, companyId: company, id }, label) => (
            <>
              <Text>{marks.present(id, company)}</Text>
              <strong>{label}</strong> <span className="text-muted">{subject}</span>
            </>
          ),
          name: ({ name, company }) => (
            <>
              <Code>{name}</Code> <span className="text-muted">{company}</span>
            </>
          ),
          email: ({ email }) => <EmailText text={email} />,
          status: ({ status, replyStatus }, label) => (
            <>
              <StatusBadge kind={requestStates.states[status].kind}>{label}</StatusBadge>
              {replyStatus === 'wrote again' && requestStates.states[status].open && <RepliedMark />}
            </>
          ),
          assignee: ({ assignee, assigneeId, assigneeActive }) => (
            <Assignee name={assignee} left={assigneeId !== null && !assigneeActive} />
          ),
        }}
      />
      {companyId !== null && requestId !== null && (
        <RequestSlideOut
          key={requestId}
          companyId={companyId}
          id={requestId}
          onClose={() => setQuery({ request: null })}
        />
      )}
    </>
  )
}
