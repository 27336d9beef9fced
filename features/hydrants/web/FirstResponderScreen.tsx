import { Trans } from '@lingui/react/macro'
import { FileDown, Plus } from 'lucide-react'
import { screenAt } from '../../../shared/screens.ts'
import { call, messageOf } from '../../../web/call.ts'
import { download } from '../../../web/download.ts'
import { setQuery } from '../../../web/go.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { ListFrame } from '../../../web/ui/office/ListFrame.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { Section, Sections } from '../../../web/ui/office/Sections.tsx'
import { addHydrant, printHydrantReport } from '../contract.ts'
import { HYDRANTS_PATH } from '../rules.ts'
import { AtAddress } from './AtAddress.tsx'
import { FlowTestsTable } from './FlowTestsTable.tsx'
import { blankHydrant, HydrantForm } from './HydrantForm.tsx'
import { HydrantFromQuery } from './HydrantSlideOut.tsx'
import { HydrantsTable } from './HydrantsTable.tsx'
import { ImportHydrants } from './ImportHydrants.tsx'
import { NoteFromQuery, NewNote, NotesTable } from './PremiseNotes.tsx'
import { SettingsSlideOut } from './SettingsSlideOut.tsx'
import { ImportButton, SettingsButton } from '../../../web/ui/office/PanelButtons.tsx'

/** Screen with hydrants, flow tests and premise notes. The URL contains the open tab and record. */
export default function FirstResponderScreen() {
  const tab = useQueryParam('tab') ?? 'hydrants'
  const panel = useQueryParam('panel')
  const close = () => setQuery({ panel: null })
  const mayEnter = may('hydrants', 'create')
  const mayGovern = may('hydrants', 'delete')
  const seesNotes = may('premise_notes', 'view')
  return (
    <>
      <ListFrame
        title={screenAt(HYDRANTS_PATH)?.title}
        listed={tab !== 'place'}
        tabs={
          <Sections>
            <Section to={HYDRANTS_PATH} active={tab === 'hydrants'}>
              <Trans>Hydrants</Trans>
            </Section>
            <Section to={`${HYDRANTS_PATH}?tab=place`} active={tab === 'place'}>
              <Trans>Map and Address</Trans>
            </Section>
            <Section to={`${HYDRANTS_PATH}?tab=tests`} active={tab === 'tests'}>
              <Trans>Flow Tests</Trans>
            </Section>
            {seesNotes && (
              <Section to={`${HYDRANTS_PATH}?tab=notes`} active={tab === 'notes'}>
                <Trans>Premise Notes</Trans>
              </Section>
            )}
          </Sections>
        }
        actions={
          <>
            {mayEnter && (
              <Button variant="primary" icon={Plus} onClick={() => setQuery({ panel: 'add' })}>
                <Trans>Add a hydrant</Trans>
              </Button>
            )}
          </>
        }
        moreActions={
          <>
            <Button icon={FileDown} onClick={() => void print()}>
              <Trans>Download PDF report</Trans>
            </Button>
            {mayGovern && <ImportButton />}
            <SettingsButton />
          </>
        }
      >
        {tab === 'place' ? (
          <AtAddress />
        ) : tab === 'tests' ? (
          <FlowTestsTable />
        ) : tab === 'notes' && seesNotes ? (
          <NotesTable />
        ) : (
          <HydrantsTable />
        )}
      </ListFrame>
      <HydrantFromQuery />
      {seesNotes && <NoteFromQuery />}
      {panel === 'add' && mayEnter && (
        <HydrantForm
          title={<Trans>Add a hydrant</Trans>}
          start={blankHydrant}
          draft="hydrant:new"
          onClose={close}
          onSave={async (values) => {
            const { message, hydrantId } = await call(addHydrant, values)
            setQuery({ panel: null, hydrant: String(hydrantId) })
            return message
          }}
        />
      )}
      {panel === 'note' && may('premise_notes', 'create') && <NewNote onClose={close} />}
      {panel === 'import' && mayGovern && <ImportHydrants onClose={close} />}
      {panel === 'settings' && <SettingsSlideOut onClose={close} />}
    </>
  )
}

const print = () => download(printHydrantReport, {}).catch((problem: unknown) => toast(messageOf(problem), 'danger'))
