import { isMunicipalityRole, mayEnterAdmin } from '../shared/privileges.ts'
import { screenAt } from '../shared/screens.ts'
import { boot } from './boot.ts'
import { currentSession, type Session } from './session.ts'

/** Stays open to everybody while a town is offline: the ways in for its staff, and the support. */
const OPEN_WHILE_OFFLINE = new Set([
  '/sign-in',
  '/reset-password',
  '/sso-verification',
  '/sso-auth-complete',
  '/citizen/initialize-impersonation',
  '/municipality/initialize-impersonation',
  '/support',
  '/support/{token}',
])

/** A town that is offline is prepared by its staff, and by whoever stands in the place of somebody there. */
export const isClosedTo = (session: Session | null): boolean =>
  !boot.company?.isOnline && !(session && (session.impersonating || isMunicipalityRole(session.un)))

/** What the kind of host decides before any screen does (specification 2.5). */
function guardSite(path: string): string | null {
  const { site, company } = boot
  if (site === 'town' && (!company || isClosedTo(currentSession()))) {
    const screen = screenAt(path)?.path ?? ''
    return screen === '/offline' || (company && OPEN_WHILE_OFFLINE.has(screen)) ? null : '/offline'
  }
  // The bare host has its list of towns alone: every screen of a town needs a town.
  if (site === 'directory' && screenAt(path)?.built && !/^\/(?:home|404)?\/?$/i.test(path)) return '/'
  if (site === 'admin' && !/^\/(?:admin(?:\/|$)|404\/?$)/i.test(path))
    return mayEnterAdmin(currentSession()?.un ?? 0) ? '/admin' : '/admin/sign-in'
  return null
}

/**
 * The route guard (specification 6.2; product rules, section 3).
 * @returns where to go instead, or null when the person may enter
 */
export function guard(path: string): string | null {
  if (/^\/sso\//i.test(path)) return null
  const elsewhere = guardSite(path)
  if (elsewhere) return elsewhere
  const screen = screenAt(path)
  const session = currentSession()
  // The signed-in enter the utility portal; everybody else is shown the ways to pay.
  if (screen?.path === '/utility-portal' && !session) return '/utility-index'
  if (!screen?.meta.requiresAuth) return null
  const admin = screen.meta.onlyAdmin === true || /^\/admin(?:\/|$)/i.test(path)
  if (!session) return admin ? '/admin/sign-in' : '/sign-in'
  if (admin && (session.impersonating || !mayEnterAdmin(session.un))) return '/admin/sign-in'
  const town = session.impersonating ? session.impersonation?.of !== 'citizen' : isMunicipalityRole(session.un)
  if (screen.meta.onlyMuni && !town) return '/home'
  return null
}
