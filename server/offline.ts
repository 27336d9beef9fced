import { isMunicipalityRole } from '../shared/privileges.ts'
import { Refusal } from './errors.ts'
import type { Company } from './hosts.ts'
import type { Session } from './sessions.ts'

type OfflineCompany = Pick<Company, 'isOnline' | 'offlineMessage'>

const offline = ({ offlineMessage }: OfflineCompany) =>
  new Refusal(404, 'offline', offlineMessage || 'This portal is offline right now. Please try again later.')

/**
 * Refuses calls to an offline company. Its staff and impersonators may still call, because they prepare the site.
 * @throws 404 with the company's message
 */
export function refuseWhileOffline(company: OfflineCompany, session: Session | null): void {
  const prepares = session !== null && (session.kind === 'municipality' || session.impersonation !== null)
  if (!company.isOnline && !prepares) throw offline(company)
}

/**
 * Refuses residents who sign in to an offline company. Staff may sign in.
 * @throws 404 with the company's message
 */
export function refuseResidentsWhileOffline(company: OfflineCompany, roleId: number): void {
  if (!company.isOnline && !isMunicipalityRole(roleId)) throw offline(company)
}
