import { isMunicipalityRole, mayEnterAdmin } from '../shared/privileges.ts'
import { entryOf, screenAt } from '../shared/screens.ts'
import { isClosed } from './modules.ts'
import { page } from './page.ts'
import { currentSession, type Session } from './session.ts'

/** Paths that stay available while a company is offline: its staff's sign-in pages, and support. */
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

/**
 * True if the company is offline for this person. Its staff and impersonators still have access, because they set up
 * the company.
 */
export const isClosedTo = (session: Session | null): boolean =>
  !page().company?.isOnline && !(session && (session.impersonating || isMunicipalityRole(session.un)))

/** Returns the redirect that the type of host requires. The rules of each screen apply later (spec 2.5). */
function guardSite(path: string): string | null {
  const { site, company } = page()
  if (site === 'company' && (!company || isClosedTo(currentSession()))) {
    const screen = screenAt(path)?.path ?? ''
    return screen === '/offline' || (company && OPEN_WHILE_OFFLINE.has(screen)) ? null : '/offline'
  }
  // The host without a company shows only the list of companies, because all other screens need a company.
  if (site === 'directory' && screenAt(path)?.built && !/^\/(?:home|404)?\/?$/i.test(path)) return '/'
  if (site === 'admin' && !/^\/(?:admin(?:\/|$)|404\/?$)/i.test(path))
    return mayEnterAdmin(currentSession()?.un ?? 0) ? '/admin' : '/admin/sign-in'
  return null
}

/**
 * Checks access to a path (spec 6.2, product rules section 3).
 * @returns the redirect, or null if the person may enter
 */
export function guard(path: string): string | null {
  if (/^\/sso\//i.test(path)) return null
  const elsewhere = guardSite(path)
  if (elsewhere) return elsewhere
  // A closed screen shows that the service is not offered, even without a session.
  if (entryOf(path) === 'citizen' && isClosed(path)) return null
  const screen = screenAt(path)
  const session = currentSession()
  // Signed-in people open the utility portal. All others get a page that lists the ways to pay.
  if (screen?.path === '/utility-portal' && !session) return '/utility-index'
  if (!screen?.meta.requiresAuth) return null
  const admin = screen.meta.onlyAdmin === true || /^\/admin(?:\/|$)/i.test(path)
  if (!session) return admin ? '/admin/sign-in' : '/sign-in'
  if (admin && (session.impersonating || !mayEnterAdmin(session.un))) return '/admin/sign-in'
  const isMunicipality = session.impersonating
    ? session.impersonation?.of !== 'citizen'
    : isMunicipalityRole(session.un)
  if (screen.meta.onlyMuni && !isMunicipality) return '/home'
  return null
}
