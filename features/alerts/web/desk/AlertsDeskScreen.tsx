import { Trans, useLingui } from '@lingui/react/macro'
import { Megaphone, Plus, Settings2 } from 'lucide-react'
import { QueryItem } from '../../../../web/query-item.tsx'
import { setQuery } from '../../../../web/go.ts'
import { ListScreen } from '../../../../web/list/ListScreen.tsx'
import { useLive } from '../../../../web/live.ts'
import { useResponse } from '../../../../web/query.ts'
import { useQueryParam } from '../../../../web/routes.tsx'
import { may } from '../../../../web/session.ts'
import { OnceLoaded } from '../../../../web/ui/ResponseView.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { EmptyState } from '../../../../web/ui/States.tsx'
import { StateBadge, StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { alertEvents, type FollowForm, showAlert } from '../../contract-staff.ts'
import { alerts } from '../../list.ts'
import { severityKinds } from '../../rules.ts'
import { alertStates } from '../../states.ts'
import { EditAlert, WriteAlert } from './AlertForm.tsx'
import { AlertSlideOut } from './AlertSlideOut.tsx'
import { refreshAlerts } from './fresh.ts'
import { Follow } from './FollowForm.tsx'
import { ServicesPanel, SettingsPanel } from './ServicesPanel.tsx'
import { TemplatesPanel } from './TemplatesPanel.tsx'

const close = () => setQuery({ work: null, write: null })

/** Lists the alerts of a company (spec 2.3). */
export default function StaffAlertsScreen() {
  const { t } = useLingui()
  const work = useQueryParam('work')
  const isWriting = useQueryParam('write') !== null
  const isEditing = useQueryParam('edit') !== null
  const follow = useQueryParam('follow') as FollowForm['kind'] | null
  useLive(
    alertEvents,
    () => void refreshAlerts(),
    () => void refreshAlerts(),
  )
  const mayWrite = may('alerts', 'create')
  const open = ({ id }: { id: number }) => setQuery({ alert: String(id), edit: null, follow: null })
  const write = mayWrite && (
    <Button variant="primary" icon={Plus} onClick={() => setQuery({ write: '1' })}>
      <Trans>Create alert</Trans>
    </Button>
  )
  return (
    <>
      <ListScreen
        of={alerts}
        rowName={({ headline }) => headline}
        cells={{
          headline: ({ headline }) => <strong>{headline}</strong>,
          severity: ({ severity }, text) => <StatusBadge kind={severityKinds[severity]}>{text}</StatusBadge>,
          status: ({ status }) => <StateBadge of={alertStates} state={status} />,
          people: ({ people, sentAt }, count) => (people > 0 || sentAt ? count : '–'),
          areaText: ({ areaText }) => areaText || t`Everyone`,
        }}
        actions={{ view: open }}
        onRow={open}
        headActions={
          <>
            <Button icon={Settings2} onClick={() => setQuery({ work: 'services' })}>
              <Trans>Services</Trans>
            </Button>
            {write}
          </>
        }
        note={
          <p className="mt-4 flex flex-wrap items-center gap-x-8 gap-y-2">
            <Link className="link" to="/municipality/reports/alerts">
              <Trans>Delivery report</Trans>
            </Link>
            <Link className="link" to="/municipality/manage/alerts/sources">
              <Trans>External alerts</Trans>
            </Link>
            <button type="button" className="link" onClick={() => setQuery({ work: 'settings' })}>
              <Trans>Approval rules</Trans>
            </button>
            <button type="button" className="link" onClick={() => setQuery({ work: 'templates' })}>
              <Trans>Templates</Trans>
            </button>
          </p>
        }
        empty={
          <EmptyState icon={Megaphone} title={t`No alerts yet`} action={write}>
            <Trans>Prepare alerts before you need them. No one receives a draft until you send it.</Trans>
          </EmptyState>
        }
      />
      {isWriting && mayWrite && <WriteAlert onClose={close} />}
      {work === 'services' && <ServicesPanel onClose={close} />}
      {work === 'templates' && <TemplatesPanel onClose={close} />}
      {work === 'settings' && <SettingsPanel onClose={close} />}
      <QueryItem name="alert">
        {(id, closeIt) =>
          isEditing ? (
            <EditAlert id={id} onClose={() => setQuery({ edit: null })} />
          ) : follow === 'update' || follow === 'cancel' || follow === 'all_clear' ? (
            <FollowIt key={`${id} ${follow}`} id={id} kind={follow} onClose={() => setQuery({ follow: null })} />
          ) : (
            <AlertSlideOut key={id} id={id} onClose={closeIt} />
          )
        }
      </QueryItem>
    </>
  )
}

function FollowIt({ id, kind, onClose }: { id: number; kind: FollowForm['kind']; onClose: () => void }) {
  return (
    <OnceLoaded
      title={<Trans>Alert update</Trans>}
      onClose={onClose}
      response={useResponse(showAlert, { alertId: id })}
      loading={<Trans>Loading alert</Trans>}
    >
      {(loaded) => <Follow id={id} kind={kind} loaded={loaded} onClose={onClose} />}
    </OnceLoaded>
  )
}
