import { Trans } from '@lingui/react/macro'
import { Bell } from 'lucide-react'
import { type ScreenUrl, useQueryParam } from '../../../web/routes.tsx'
import { useSession } from '../../../web/session.ts'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { publicAlert, publicAlerts } from '../contract.ts'
import { AlertsScreen, alertIn } from './AlertsScreen.tsx'
import { ChoicesScreen } from './ChoicesScreen.tsx'

export const calls = ({ query }: ScreenUrl) => {
  const alertId = alertIn(query)
  if (query.has('choose')) return []
  return alertId === null ? [[publicAlerts, {}] as const] : [[publicAlert, { alertId }] as const]
}

/** Shows the public alerts, or the choices of a resident. */
export default function AlertsScreens() {
  const isChoosing = useQueryParam('choose') !== null
  const session = useSession()
  if (!isChoosing) return <AlertsScreen />
  if (session) return <ChoicesScreen />
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={<Trans>Your alerts</Trans>} />
      <EmptyState
        icon={Bell}
        title={<Trans>Sign in to choose your alerts</Trans>}
        action={
          <LinkButton variant="primary" to="/sign-in">
            <Trans>Sign In</Trans>
          </LinkButton>
        }
      >
        <Trans>No account yet? Sign up to start receiving emergency alerts.</Trans>
      </EmptyState>
    </Measure>
  )
}
