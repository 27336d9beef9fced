import { CALL_PREFIX } from '../../../shared/endpoint.ts'
import type { RouteDef } from '../../../web/routes.tsx'
import { ALERTS_POLL_MS, currentAlerts } from '../contract-banner.ts'

export const screens: RouteDef[] = [{ path: '/alerts', screen: () => import('./AlertsScreens.tsx'), rendered: 'fresh' }]

/** Check for alerts of a page without its script: URL of the call, and time between two checks in milliseconds. */
export const alertCheck = { url: CALL_PREFIX + currentAlerts.path, pollMs: ALERTS_POLL_MS }

export const alertBanner = () => import('./AlertBanner.tsx')
