import { Trans, useLingui } from '@lingui/react/macro'
import { BadgeCheck, ClipboardList } from 'lucide-react'
import { translated } from '../../../shared/messages.ts'
import { call } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { SettingsButton } from '../../../web/ui/office/PanelButtons.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { verifyRegistrations } from '../contract.ts'
import { registrations } from '../list.ts'
import { kinds, REPORT_PATH } from '../rules.ts'
import { registrationStates } from '../states.ts'
import { reloadReport } from './fresh.ts'
import { RegistrationSlideOut } from './RegistrationSlideOut.tsx'
import { SettingsSlideOut } from './SettingsSlideOut.tsx'

const open = (id: number | null) => setQuery({ registration: id === null ? null : String(id) })

/** Screen with the company's registrations, including those that await verification (spec 2.3). */
export default function RegistrationsScreen() {
  const { t } = useLingui()
  const chosen = Number(useQueryParam('registration')) || null
  const settings = useQueryParam('panel') === 'settings'
  const verify = {
    label: t`Verify registrations`,
    icon: BadgeCheck,
    run: async (rows: readonly { id: number }[]) => {
      const { message } = await call(verifyRegistrations, { ids: rows.map(({ id }) => id) })
      await reloadReport()
      return message
    },
  }
  const mayChange = may('registration', 'update')
  return (
    <>
      <ListScreen
        of={registrations}
        rowName={({ number, name }) => `${number} ${name}`}
        cells={{
          number: ({ number }) => <strong>{number}</strong>,
          status: ({ status }) => <StateBadge of={registrationStates} state={status} />,
        }}
        actions={{ view: ({ id }) => open(id) }}
        onRow={({ id }) => open(id)}
        bulk={mayChange ? [verify] : []}
        headActions={<SettingsButton />}
        note={
          <span className="flex flex-wrap items-center gap-3">
            <Trans>Registration questions:</Trans>
            {([1, 2, 3] as const).map((kind) => (
              <LinkButton key={kind} size="small" to={`${REPORT_PATH}/${kind}/fields`}>
                {translated(kinds[kind])}
              </LinkButton>
            ))}
          </span>
        }
        empty={
          <EmptyState icon={ClipboardList} title={<Trans>No registrations yet</Trans>}>
            <Trans>Registered households, businesses and rental properties appear here.</Trans>
          </EmptyState>
        }
      />
      {chosen !== null && <RegistrationSlideOut key={chosen} id={chosen} onClose={() => open(null)} />}
      {settings && <SettingsSlideOut onClose={() => setQuery({ panel: null })} />}
    </>
  )
}
