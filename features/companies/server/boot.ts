import type { Boot, BootAnnouncement } from '../../../shared/boot.ts'
import { emptyBoot } from '../../../shared/boot.ts'
import { dateIn } from '../../../shared/dates.ts'
import { originOf } from '../../../server/config.ts'
import type { Company, Host } from '../../../server/hosts.ts'
import type { House } from '../../../server/house.ts'
import { settingsOf } from '../../../server/app-settings.ts'
import { ADMINISTRATOR_GUIDE, documentPaths } from './documents.ts'
import { listTowns } from './list-towns.ts'
import { listComponents, listNotices, listProductNotices, listServices, type Notice } from './queries.ts'
import { safeHtml } from './site-message.ts'

type TownBoot = Pick<
  Boot,
  'company' | 'today' | 'announcements' | 'topServices' | 'otherServices' | 'components' | 'siteWideMessage' | 'footer'
>

/** What the server writes into a page of this host, so that its first paint needs no call. `server/pages.ts` keeps it. */
export async function bootFor(house: House, host: Host): Promise<Boot> {
  const common: Boot = {
    ...emptyBoot,
    site: host.kind,
    settings: settingsOf(house.config),
    gatewayUrl: house.config.gateway.publicOrigin,
    directoryUrl: originOf(house.config, null),
    support: { phone: house.config.supportPhone, formUrl: house.config.supportFormUrl },
    today: dateIn('UTC', house.clock.now()),
    documents: { ...documentPaths },
    demo: house.config.demo,
  }
  if (host.kind === 'admin') {
    const notices = await house.outside((tx) => listProductNotices(tx, common.today))
    const announcements = notices.map(announcementOf).filter(({ place }) => place === 'guide')
    return { ...common, announcements, documents: { ...common.documents, helpGuide: ADMINISTRATOR_GUIDE } }
  }
  if (host.kind === 'town') return host.company ? { ...common, ...(await townBoot(house, host.company)) } : common
  return host.kind === 'directory' ? { ...common, directory: (await listTowns(house, { search: '' })).towns } : common
}

/** A town's part of a page's start. */
function townBoot(house: House, company: Company): Promise<TownBoot> {
  const today = dateIn(company.timeZone, house.clock.now())
  return house.inCompany(company.id, async (tx) => {
    const [services, components, notices, payments] = await Promise.all([
      listServices(tx, company.id),
      listComponents(tx, company.id),
      listNotices(tx, company.id, today),
      tx.selectFrom('payment_settings').select('guest_fact').where('company_id', '=', company.id).executeTakeFirst(),
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
        guestFact: payments?.guest_fact ?? 'none',
      },
      today,
      announcements: notices.map(announcementOf),
      ...services,
      components,
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

/** A notice's first sentence is its title, where more follows. */
function announcementOf({ id, place, message, until }: Notice): BootAnnouncement {
  const end = message.search(/[.!?]\s/)
  const [title, text] = end === -1 ? [message, ''] : [message.slice(0, end + 1), message.slice(end + 2)]
  return { id, place: place === 'landing' ? 'landing' : 'guide', title, text, until }
}
