import { versionOf } from '../../../server/fields/sets.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { inWords } from '../../../shared/fields/words.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import type { Request } from '../../service-requests/server/row.ts'
import { ask, whereIs, type PortalContext } from './client.ts'
import { type Row, textAt, unwrapped } from './their-answers.ts'

interface AttributeAnswers {
  attributes: [name: string, value: string][]
  /** What the other portal does not ask for goes into the description. */
  words: string[]
}

const same = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

/** Our answers as those to their questions: a question is the same by its code or its words, an answer by its key or its name. */
export async function answersFor(
  { context, company, portal }: PortalContext,
  row: Request,
  code: string,
): Promise<AttributeAnswers> {
  const { field_set_id, version } = row
  if (field_set_id === null || version === null) return { attributes: [], words: [] }
  const { definition } = await context.readingCompany(company.id, (tx) =>
    versionOf({ tx, company: company.id }, field_set_id, version),
  )
  const asks = portal.services.find((service) => service.code === code)?.metadata ?? true
  const theirs = asks ? await questionsOf({ context, company, portal }, code) : []
  const given: AttributeAnswers = { attributes: [], words: [] }
  for (const field of allFields(definition)) {
    const answer = (row.answers as Answers)[field.name]
    if (answer === undefined) continue
    const question = theirs.find(
      (one) => textAt(one, 'code') === field.name || same(textAt(one, 'description'), field.label),
    )
    if (question) given.attributes.push(...attributesFor(question, answer, inWords(field, answer)))
    else given.words.push(`${field.label}: ${inWords(field, answer)}`)
  }
  return given
}

async function questionsOf({ context, portal }: PortalContext, code: string): Promise<Row[]> {
  const answer = await ask(context, whereIs(context, portal), `services/${encodeURIComponent(code)}`)
  const [definition] = answer.status < 300 ? answer.rows : []
  return unwrapped(definition?.['attributes'])
}

function attributesFor(question: Row, answer: unknown, words: string): AttributeAnswers['attributes'] {
  const name = `attribute[${textAt(question, 'code')}]`
  const values = unwrapped(question['values'])
  const asTheirs = (one: string): string => {
    const value = values.find((each) => same(textAt(each, 'key'), one) || same(textAt(each, 'name'), one))
    return value ? textAt(value, 'key') : one
  }
  if (Array.isArray(answer)) return answer.map((one): [string, string] => [`${name}[]`, asTheirs(String(one))])
  if (typeof answer === 'boolean') return answer ? [[name, asTheirs('yes')]] : []
  if (typeof answer === 'string' || typeof answer === 'number') return [[name, asTheirs(String(answer))]]
  return [[name, words]]
}
