import { bilingualEntries, definePack } from '../../../server/packs.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say, translated } from '../../../shared/messages.ts'
import { saveAlertServices, saveAlertTemplate, type TemplateForm } from '../contract-staff.ts'
import { serviceTypes, severityLabels } from '../rules.ts'
import { blanksOf } from '../rules-blanks.ts'
import { readServices } from './services.ts'
import { servicesCall } from './settings.ts'
import { saveTemplateCall } from './templates.ts'

export interface AlertEntry extends Omit<TemplateForm, 'name' | 'serviceId' | 'event'> {
  name: { en: string; es: string }
  event: { en: string; es: string }
  service: {
    /** Type of the service: 1 alert, 2 essential, 3 other (spec 9.4). */
    type: 1 | 2 | 3
    name: { en: string; es: string }
    /** Parts of the names of suitable services. */
    match: readonly string[]
  }
}

const LISTS = { 1: 'alerts', 2: 'essentials', 3: 'others' } as const
/** Type of service that reaches everyone (spec 9.4). */
const EMERGENCY_TYPE = 1

interface Service {
  id: number
  type: number
  name: string
}

export const activeServices = (tx: Tx, company: CompanyId): Promise<Service[]> =>
  tx
    .selectFrom('alert_service')
    .select(['id', 'type', 'name'])
    .where('company_id', '=', company)
    .where('is_active', '=', true)
    .orderBy('type')
    .orderBy('position')
    .orderBy('id')
    .execute()

/**
 * Returns the company's service for an entry: the first with a matching name. An entry for everyone also takes the
 * first emergency service.
 */
export function serviceFor({ service }: AlertEntry, services: readonly Service[]): Service | undefined {
  const pattern = new RegExp(service.match.join('|'), 'i')
  return (
    services.find(({ name }) => pattern.test(name)) ??
    (service.type === EMERGENCY_TYPE ? services.find(({ type }) => type === EMERGENCY_TYPE) : undefined)
  )
}

/** Returns the form of the template that an entry becomes. */
export const templateOf = ({ service: _service, name, event, ...entry }: AlertEntry, serviceId: string) => ({
  ...entry,
  name: name.en,
  event: event.en,
  serviceId,
})

/** Returns the entries of the pack, for demo data. */
export const textEntries = () => bilingualEntries<AlertEntry>('alert-texts')

/** Texts of alerts in both languages. The pack also adds the services that its alerts need. */
export const alertPack = definePack<AlertEntry>({
  pack: 'alert-texts',
  label: 'Alert texts',
  area: 'alerts',
  isBilingual: true,
  calls: [servicesCall, saveTemplateCall],
  existing: (tx, company) =>
    tx.selectFrom('alert_template').select(['id', 'name as title']).where('company_id', '=', company).execute(),
  preview: ({ name, en, es, severity, service }) => ({
    title: name.en,
    text: [en, es].map((one) => `${one.headline}. ${one.description} ${one.instruction}`).join('\n\n'),
    details: [
      say`Service: ${service.name.en} (${translated(serviceTypes[service.type])})`,
      translated(severityLabels[severity]),
      ...blanksOf({ en, es }).map((blank) => say`Blank: ${blank.en}`),
    ],
  }),
  add: async ({ tx, company, run }, entry) => {
    const existing = serviceFor(entry, await activeServices(tx, company))
    if (!existing) {
      const names = await readServices(tx, company)
      const list = LISTS[entry.service.type]
      await run(saveAlertServices, { ...names, [list]: [...names[list], { name: entry.service.name.en }] })
    }
    const service = existing ?? serviceFor(entry, await activeServices(tx, company))
    const form = templateOf(entry, service ? String(service.id) : '')
    return (await run(saveAlertTemplate, { templateId: null, ...form })).templateId
  },
})
