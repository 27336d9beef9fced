import { Trans } from '@lingui/react/macro'
import { CalendarPlus, Plus } from 'lucide-react'
import { screenAt } from '../../../shared/screens.ts'
import { setQuery } from '../../../web/go.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { ListFrame } from '../../../web/ui/office/ListFrame.tsx'
import { Section, Sections } from '../../../web/ui/office/Sections.tsx'
import { INSPECTIONS_PATH } from '../rules.ts'
import { InspectionFromQuery } from './InspectionSlideOut.tsx'
import { InspectionsTable } from './InspectionsTable.tsx'
import { ScheduleSlideOut } from './ScheduleSlideOut.tsx'
import { TemplateFromQuery, NewTemplate } from './TemplateSlideOut.tsx'
import { TemplatesTable } from './TemplatesTable.tsx'

/** Screen with tabs for inspections and templates. The URL stores the open tab and record. */
export default function InspectionsScreen() {
  const tab = useQueryParam('tab') ?? 'inspections'
  const panel = useQueryParam('panel')
  const maySchedule = may('inspections', 'create')
  const mayGovern = may('inspections', 'delete')
  return (
    <>
      <ListFrame
        title={screenAt(INSPECTIONS_PATH)?.title}
        listed={true}
        tabs={
          <Sections>
            <Section to={INSPECTIONS_PATH} active={tab === 'inspections'}>
              <Trans>Inspections</Trans>
            </Section>
            <Section to={`${INSPECTIONS_PATH}?tab=templates`} active={tab === 'templates'}>
              <Trans>Templates</Trans>
            </Section>
          </Sections>
        }
        actions={
          <>
            {maySchedule && (
              <Button variant="primary" icon={CalendarPlus} onClick={() => setQuery({ panel: 'new' })}>
                <Trans>Schedule an inspection</Trans>
              </Button>
            )}
            {tab === 'templates' && mayGovern && (
              <Button icon={Plus} onClick={() => setQuery({ panel: 'template' })}>
                <Trans>Add a template</Trans>
              </Button>
            )}
          </>
        }
      >
        {tab === 'templates' ? <TemplatesTable /> : <InspectionsTable />}
      </ListFrame>
      <InspectionFromQuery />
      <TemplateFromQuery />
      {panel === 'new' && maySchedule && (
        <ScheduleSlideOut onClose={() => setQuery({ panel: null, kind: null, thing: null })} />
      )}
      {panel === 'template' && mayGovern && <NewTemplate onClose={() => setQuery({ panel: null })} />}
    </>
  )
}
