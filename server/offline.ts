import { isMunicipalityRole } from '../shared/privileges.ts'
import { Refusal } from './errors.ts'
import type { Company } from './hosts.ts'
import type { Session } from './sessions.ts'

type OfflineCompany = Pick<Company, 'isOnline' | 'offlineMessage'>

const offline = ({ offlineMessage }: OfflineCompany) =>
  new Refusal(404, 'offline', offlineMessage || 'This portal is offline at the moment.')

/**
 * A town that is offline is prepared by its staff, and by whoever stands in the place of somebody there; it is closed to
 * everybody else. @throws 404 with the town's own words
 */
export function refuseWhileOffline(company: OfflineCompany, session: Session | null): void {
  const prepares = session !== null && (session.kind === 'municipality' || session.impersonation !== null)
  if (!company.isOnline && !prepares) throw offline(company)
}

/** The ways to sign in stay open for staff: whoever turns out to be a resident is refused then. @throws 404 */
export function refuseResidentsWhileOffline(company: OfflineCompany, roleId: number): void {
  if (!company.isOnline && !isMunicipalityRole(roleId)) throw offline(company)
}
