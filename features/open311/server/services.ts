import { Refusal } from '../../../server/errors.ts'
import { noticeSenderOf } from '../../../server/notices/notify.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { say } from '../../../shared/messages.ts'
import { activeCategories, type Category, questionsOf, settingsOf } from '../../service-requests/api.ts'
import { attributesOf, canBeSent } from '../rules.ts'
import type { Open311Request, Open311Response } from './request.ts'
import type { Value } from './xml.ts'

export const OPEN311 = '/open311/v2'
/** Time of the last change to the discovery response. */
const CHANGESET = '2026-11-22T00:00:00Z'

export async function discovery({ context, company }: Open311Request): Promise<Open311Response> {
  const { phone, website, name } = company
  const value: Value = {
    changeset: CHANGESET,
    contact: [name, phone, website].filter(Boolean).join(', '),
    key_service: say`Ask the ${name} portal administrator for an API key for your program.`,
    endpoints: [
      {
        specification: 'http://wiki.open311.org/GeoReport_v2',
        url: noticeSenderOf(context, company).url(OPEN311),
        changeset: CHANGESET,
        type: context.config.demo ? 'test' : 'production',
        formats: ['text/xml', 'application/json'],
      },
    ],
  }
  return { root: 'discovery', value }
}

export interface Service {
  category: Category
  version: number
  definition: Definition
}

/**
 * Returns the categories that Open311 offers. They are open to guests, and Open311 can express their required fields.
 */
async function offered(tx: Tx, company: CompanyId): Promise<Service[]> {
  const { forGuests } = await settingsOf(tx, company)
  if (!forGuests) return []
  const services = []
  for (const category of await activeCategories(tx, company)) {
    if (category.for_guests === 0) continue
    const questions = await questionsOf(tx, company, category)
    if (canBeSent(questions.definition)) services.push({ category, ...questions })
  }
  return services
}

/** @throws 404 if no service has this code */
export async function serviceOf(tx: Tx, company: CompanyId, code: string): Promise<Service> {
  const service = (await offered(tx, company)).find(({ category }) => String(category.id) === code)
  if (!service) throw new Refusal(404, 'not_found', 'No service has this service_code. GET services lists the codes.')
  return service
}

export const services = ({ call, company }: Open311Request): Promise<Open311Response> =>
  call.reading(async (tx) => ({
    root: 'services',
    value: (await offered(tx, company.id)).map(({ category, definition }) => ({
      service_code: String(category.id),
      service_name: category.name,
      description: category.hint,
      metadata: attributesOf(definition).length > 0,
      type: 'realtime',
      keywords: '',
      group: '',
    })),
  }))

export const definitionOf = ({ call, company }: Open311Request, code: string): Promise<Open311Response> =>
  call.reading(async (tx) => {
    const { definition } = await serviceOf(tx, company.id, code)
    const attributes = attributesOf(definition).map((attribute) => ({ ...attribute }))
    return { root: 'service_definition', value: { service_code: code, attributes } }
  })
