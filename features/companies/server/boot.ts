import type { BootData, BootAnnouncement } from '../../../shared/boot.ts'
import { emptyBoot } from '../../../shared/boot.ts'
import { dateIn } from '../../../shared/dates.ts'
import { originOf } from '../../../server/config.ts'
import type { Company, Host } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { settingsOf } from '../../../server/app-settings.ts'
import { modulesOff } from '../../../server/modules.ts'
import { ADMINISTRATOR_GUIDE, documentPaths } from './documents.ts'
import { listDirectory } from './list-directory.ts'
import { componentsOf, listNotices, listProductNotices, listServices, type Notice } from './queries.ts'
import { safeHtml } from './site-message.ts'

type CompanyBoot = Pick<
  BootData,
  | 'company'
  | 'today'
  | 'announcements'
  | 'topServices'
  | 'otherServices'
  | 'components'
  | 'modulesOff'
  | 'siteWideMessage'
  | 'footer'
>

/**
 * Returns the data that the server embeds in a page, so that the first paint needs no call. `server/pages.ts` caches
 * it.
 */
export async function bootFor(context: AppContext, host: Host): Promise<BootData> {
  const common: BootData = {
    ...emptyBoot,
    site: host.kind,
    settings: settingsOf(context.config),
    gatewayUrl: context.config.gateway.publicOrigin,
    directoryUrl: originOf(context.config, null),
    support: { phone: context.config.supportPhone, formUrl: context.config.supportFormUrl },
    today: dateIn('UTC', context.clock.now()),
    documents: { ...documentPaths },
    demo: context.config.demo,
  }
  if (host.kind === 'admin') {
    const notices = await context.outside((tx) => listProductNotices(tx, common.today))
    const announcements = notices.map(announcementOf).filter(({ location }) => location === 'guide')
    return { ...common, announcements, documents: { ...common.documents, helpGuide: ADMINISTRATOR_GUIDE } }
  }
  if (host.kind === 'company')
    return host.company ? { ...common, ...(await companyBoot(context, host.company)) } : common
  return host.kind === 'directory'
    ? { ...common, directory: (await listDirectory(context, { search: '' })).companies }
    : common
}

function companyBoot(context: AppContext, company: Company): Promise<CompanyBoot> {
  const today = dateIn(company.timeZone, context.clock.now())
  return context.inCompany(company.id, async (tx) => {
    const [services, notices, payments] = await Promise.all([
      listServices(tx, company),
      listNotices(tx, company.id, today),
      tx.selectFrom('payment_settings').select('guest_proof').where('company_id', '=', company.id).executeTakeFirst(),
    ])
    return {
      company: {
        id: company.id,
        name: company.name,
        subdomain: company.subdomain,
        isOnline: company.isOnline ? (1 as const) : (0 as const),
        logoUrl: company.logoPath || null,
        timeZone: company.timeZone,
        fiscalMonth: company.fiscalMonth,
        city: company.city,
        state: company.state,
        tagline: company.tagline,
        offlineMessage: company.offlineMessage,
        guestFact: payments?.guest_proof ?? 'none',
      },
      today,
      announcements: notices.map(announcementOf),
      ...services,
      components: componentsOf(company),
      modulesOff: modulesOff(company),
      siteWideMessage: safeHtml(company.siteWideMessage),
      footer: {
        name: company.name,
        address1: company.address1,
        address2: company.address2 || null,
        city: company.city,
        state: company.state,
        zipcode: company.zipcode,
        phone_no: company.phone || null,
        website_url: company.website || null,
      },
    }
  })
}

/** The first sentence of a longer notice is its title. */
function announcementOf({ id, location, message, until }: Notice): BootAnnouncement {
  const end = message.search(/[.!?]\s/)
  const [title, text] = end === -1 ? [message, ''] : [message.slice(0, end + 1), message.slice(end + 2)]
  return { id, location: location === 'landing' ? 'landing' : 'guide', title, text, until }
}
