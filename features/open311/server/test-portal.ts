import { implement } from '../../../server/call.ts'
import { rejected } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { plural, say } from '../../../shared/messages.ts'
import { testPortal } from '../contract.ts'
import { callPortal, NoResponse, type OtherPortal, refusedWith, whereIs } from './client.ts'
import { portalOf } from './portal.ts'
import { servicesIn, type PortalService } from './portal-responses.ts'

interface PortalCapabilities {
  services: PortalService[]
  format: OtherPortal['format']
  has_updates: boolean
}

/** Requests the services as JSON, then as XML, which every server supports. @throws 422 with the problem */
async function loadCapabilities(context: AppContext, portal: OtherPortal): Promise<PortalCapabilities> {
  let why = ''
  for (const format of ['json', 'xml'] as const) {
    const at = { ...whereIs(context, portal), format }
    try {
      const response = await callPortal(context, at, 'services')
      const services = response.status < 300 ? servicesIn(response.rows) : []
      if (services.length > 0) return { services, format, has_updates: await hasUpdates(context, at) }
      why = response.status < 300 ? say`The portal offers no services.` : refusedWith(response)
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error
      why = error.message
      // If the server is unreachable, another format would not help.
      if (!error.sent) break
    }
  }
  throw rejected(say`No services were found at ${portal.url}: ${why}`)
}

async function hasUpdates(context: AppContext, at: ReturnType<typeof whereIs>): Promise<boolean> {
  const now = context.clock.now()
  const query = { start_date: new Date(now.getTime() - 60_000).toISOString(), end_date: now.toISOString() }
  try {
    return (await callPortal(context, at, 'servicerequestupdates', { query })).status < 300
  } catch (error) {
    if (error instanceof NoResponse) return false
    throw error
  }
}

export const testPortalCall = implement(testPortal, async (call) => {
  const { context, company, body } = call
  const portal = await call.reading((tx) => portalOf(tx, company.id, body.portalId))
  const { services, format, has_updates } = await loadCapabilities(context, portal)
  await call.inCompany(async (tx) => {
    const { id } = await portalOf(tx, company.id, body.portalId, { hold: true })
    await tx
      .updateTable('open311_portal')
      .set({ services: JSON.stringify(services), services_at: context.clock.now(), format, has_updates, problem: '' })
      .where(({ and }) => and({ company_id: company.id, id }))
      .execute()
    const detail = { services: services.length, format, updates: has_updates }
    await call.audit(tx, { action: 'open311.portal_tested', subject: { kind: 'open311_portal', id }, detail })
  })
  const countText = plural(services.length, '# service was found.', '# services were found.')
  const updates = has_updates
    ? say`The portal accepts and sends updates.`
    : say`The portal sends no updates, so the status of each request is checked separately. You cannot send messages to this portal.`
  return { success: true as const, message: `${say`${countText}`} ${updates}`, services: services.length }
})
