import { Trans, useLingui } from '@lingui/react/macro'
import { useFreshCases } from '../../../../web/cases/fresh.ts'
import { setQuery } from '../../../../web/go.ts'
import { ListScreen } from '../../../../web/list/ListScreen.tsx'
import { LinkButton } from '../../../../web/ui/Button.tsx'
import { StateBadge, StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { requestCase } from '../../contract.ts'
import { report } from '../../list.ts'
import { requestStates } from '../../states.ts'
import { reportFilters } from './filters.tsx'
import { INBOX, requestCalls } from './fresh.ts'
import { RequestFromQuery } from './RequestSlideOut.tsx'

/**
 * 'Communication Report' (spec 2.3), grouped by category, department or status. Shows the overdue share of each group.
 */
export default function ReportScreen() {
  const { t } = useLingui()
  useFreshCases(requestCase, requestCalls)
  const open = ({ id }: { id: number }) => setQuery({ request: String(id) })
  return (
    <>
      <ListScreen
        of={report}
        rowName={({ number }) => number}
        filters={reportFilters}
        actions={{ view: open }}
        onRow={open}
        headActions={
          <LinkButton to={INBOX}>
            <Trans>Customer Communications</Trans>
          </LinkButton>
        }
        cells={{
          number: ({ number }) => <strong className="whitespace-nowrap">{number}</strong>,
          status: ({ status }) => <StateBadge of={requestStates} state={status} />,
          completed: ({ completed }) => (completed ? t`Yes` : '–'),
          late: ({ late }) => (late ? <StatusBadge kind="bad">{t`Overdue`}</StatusBadge> : '–'),
          days: ({ closedAt }, label) => (closedAt ? label : '–'),
        }}
      />
      <RequestFromQuery />
    </>
  )
}
