import { CALL_PREFIX } from '../../../shared/call-prefix.ts'
import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [{ path: '/alerts', screen: () => import('./AlertsScreens.tsx'), rendered: 'fresh' }]

/** Check for alerts of a page without its script: URL of the call, and time between two checks in milliseconds. */
export async function alertCheck(): Promise<{ url: string; pollMs: number }> {
  const { ALERTS_POLL_MS, currentAlerts } = await import('../contract-banner.ts')
  return { url: CALL_PREFIX + currentAlerts.path, pollMs: ALERTS_POLL_MS }
}

export const alertBanner = () => import('./AlertBanner.tsx')
