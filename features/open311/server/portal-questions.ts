import { versionOf } from '../../../server/fields/sets.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { answerText } from '../../../shared/fields/labels.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import type { Request } from '../../service-requests/api.ts'
import { callPortal, whereIs, type PortalContext } from './client.ts'
import { type Row, textAt, unwrapped } from './portal-responses.ts'

interface AttributeAnswers {
  attributes: [name: string, value: string][]
  /** Answers that match no question of the other portal. They are added to the description. */
  descriptionLines: string[]
}

const same = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

/**
 * Converts a request's answers to attributes of the other portal. Questions match by code or text, and answer values
 * match by key or name.
 */
export async function answersFor(
  { context, company, portal }: PortalContext,
  row: Request,
  code: string,
): Promise<AttributeAnswers> {
  const { field_set_id, version } = row
  if (field_set_id === null || version === null) return { attributes: [], descriptionLines: [] }
  const { definition } = await context.readingCompany(company.id, (tx) =>
    versionOf({ tx, company: company.id }, field_set_id, version),
  )
  const metadata = portal.services.find((service) => service.code === code)?.metadata ?? true
  const portalQuestions = metadata ? await questionsOf({ context, company, portal }, code) : []
  const mapped: AttributeAnswers = { attributes: [], descriptionLines: [] }
  for (const field of allFields(definition)) {
    const answer = (row.answers as Answers)[field.name]
    if (answer === undefined) continue
    const question = portalQuestions.find(
      (one) => textAt(one, 'code') === field.name || same(textAt(one, 'description'), field.label),
    )
    if (question) mapped.attributes.push(...attributesFor(question, answer, answerText(field, answer)))
    else mapped.descriptionLines.push(`${field.label}: ${answerText(field, answer)}`)
  }
  return mapped
}

async function questionsOf({ context, portal }: PortalContext, code: string): Promise<Row[]> {
  const response = await callPortal(context, whereIs(context, portal), `services/${encodeURIComponent(code)}`)
  const [definition] = response.status < 300 ? response.rows : []
  return unwrapped(definition?.['attributes'])
}

function attributesFor(question: Row, answer: unknown, text: string): AttributeAnswers['attributes'] {
  const name = `attribute[${textAt(question, 'code')}]`
  const values = unwrapped(question['values'])
  const portalValueOf = (one: string): string => {
    const value = values.find((each) => same(textAt(each, 'key'), one) || same(textAt(each, 'name'), one))
    return value ? textAt(value, 'key') : one
  }
  if (Array.isArray(answer)) return answer.map((one): [string, string] => [`${name}[]`, portalValueOf(String(one))])
  if (typeof answer === 'boolean') return answer ? [[name, portalValueOf('yes')]] : []
  if (typeof answer === 'string' || typeof answer === 'number') return [[name, portalValueOf(String(answer))]]
  return [[name, text]]
}
