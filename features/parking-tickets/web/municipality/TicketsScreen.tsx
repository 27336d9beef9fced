import { Trans } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import { screenAt } from '../../../../shared/screens.ts'
import { useFreshCases } from '../../../../web/cases/fresh.ts'
import { setQuery } from '../../../../web/go.ts'
import { useQueryParam } from '../../../../web/routes.tsx'
import { may } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { ListFrame } from '../../../../web/ui/office/ListFrame.tsx'
import { Section, Sections } from '../../../../web/ui/office/Sections.tsx'
import { contestCase } from '../../contract.ts'
import { BootTable } from './BootTable.tsx'
import { EnterTicket } from './EnterTicket.tsx'
import { reloadedCalls } from './fresh.ts'
import { ImportTickets } from './ImportTickets.tsx'
import { SettingsSlideOut } from './SettingsSlideOut.tsx'
import { TicketFromQuery } from './TicketSlideOut.tsx'
import { TicketsTable } from './TicketsTable.tsx'
import { ViolationsTable } from './ViolationsTable.tsx'
import { ImportButton, SettingsButton } from '../../../../web/ui/office/PanelButtons.tsx'

const PATH = '/municipality/manage/parking-tickets'

/** Screen with tickets, boot list and violation codes. The URL stores the open tab and record. */
export default function TicketsScreen() {
  const tab = useQueryParam('tab') ?? 'tickets'
  const panel = useQueryParam('panel')
  const close = () => setQuery({ panel: null })
  const mayEnter = may('parking', 'create')
  useFreshCases(contestCase, reloadedCalls)
  return (
    <>
      <ListFrame
        title={screenAt(PATH)?.title}
        listed={true}
        tabs={
          <Sections>
            <Section to={PATH} active={tab === 'tickets'}>
              <Trans>Tickets</Trans>
            </Section>
            <Section to={`${PATH}?tab=boot`} active={tab === 'boot'}>
              <Trans>Boot List</Trans>
            </Section>
            <Section to={`${PATH}?tab=codes`} active={tab === 'codes'}>
              <Trans>Violation Codes</Trans>
            </Section>
            <Section to="/municipality/reports/parking-ticket" active={false}>
              <Trans>Report</Trans>
            </Section>
          </Sections>
        }
        actions={
          <>
            {mayEnter && (
              <Button variant="primary" icon={Plus} onClick={() => setQuery({ panel: 'enter' })}>
                <Trans>Enter ticket</Trans>
              </Button>
            )}
          </>
        }
        moreActions={
          <>
            {mayEnter && <ImportButton />}
            <SettingsButton />
          </>
        }
      >
        {tab === 'boot' ? <BootTable /> : tab === 'codes' ? <ViolationsTable /> : <TicketsTable />}
      </ListFrame>
      <TicketFromQuery />
      {panel === 'enter' && mayEnter && <EnterTicket onClose={close} />}
      {panel === 'import' && mayEnter && <ImportTickets onClose={close} />}
      {panel === 'settings' && <SettingsSlideOut onClose={close} />}
    </>
  )
}
