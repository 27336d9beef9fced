import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { readValues } from '../../../server/company-values.ts'
import {
  type ContentKind,
  createFromContent,
  creatingFor,
  digestOf,
  questionsOf,
  refuseOutdated,
  settingsOf,
  titleOf,
} from '../../../server/contents.ts'
import { notFound } from '../../../server/errors.ts'
import { matchesSearch } from '../../../server/list-sql.ts'
import { companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import { copySharedRecord, MAX_SHARED, sharedRecord, sharedRecords } from '../contract.ts'
import { checkSettings, kindFor, previewOf } from './kinds.ts'
import { neutralContent, type Sharer } from './neutral.ts'

const notShared = () => notFound('The municipality has stopped sharing this record.')

/** Finds the kind, if municipalities can share its records. */
function sharedKind(call: Call, name: string): ContentKind & { listed: NonNullable<ContentKind['listed']> } {
  const kind = kindFor(call, name)
  const { listed } = kind
  if (!listed) throw notShared()
  return { ...kind, listed }
}

interface SharedRow {
  municipalityId: number
  municipality: string
  id: number
  title: string
  changedAt: Date | null
}

/** Lists the records in use of all other municipalities that share theirs. Demo municipalities see only each other. */
export const sharedRecordsCall = implement(sharedRecords, async (call) => {
  const { search } = call.body
  const { listed } = sharedKind(call, call.body.kind)
  const { rows } = await call.context.readingAll((tx) =>
    sql<SharedRow>`
      SELECT c.id AS "municipalityId", c.name AS municipality, s.id, s.title, s.changed_at AS "changedAt"
      FROM company own JOIN company c ON c.is_demo = own.is_demo AND c.id <> own.id
      JOIN (${listed}) s ON s.company_id = c.id
      WHERE own.id = ${call.company.id} AND c.shares_records = 1 AND ${matchesSearch(sql`lower(c.name || ' ' || s.title)`, search)}
      ORDER BY c.name_key, s.title, s.id LIMIT ${MAX_SHARED + 1}`.execute(tx),
  )
  return {
    records: rows
      .slice(0, MAX_SHARED)
      .map(({ changedAt, ...row }) => ({ ...row, changedAt: changedAt?.toISOString() ?? null })),
    more: rows.length > MAX_SHARED,
  }
})

interface SharedId {
  municipalityId: number
  id: number
}

/**
 * Loads a record of another municipality, without departments, people, GL accounts, files and facts about the other
 * municipality.
 * @throws 404 if the other municipality does not share the record
 */
async function loadShared(call: Call, kind: ReturnType<typeof sharedKind>, { municipalityId, id }: SharedId) {
  const company = companyIdFrom('shared-records', municipalityId)
  const source = await call.context.readingShared(company, async (tx) => {
    const { rows } = await sql<{ listed: boolean }>`
      SELECT EXISTS (SELECT FROM (${kind.listed}) s WHERE s.company_id = ${company} AND s.id = ${id}) AS listed`.execute(
      tx,
    )
    if (!rows[0]?.listed || company === call.company.id) throw notShared()
    const { form, fieldSet } = await kind.read(tx, company, id)
    const { published } = await questionsOf({ tx, company }, fieldSet)
    const sharer: Sharer = await tx
      .selectFrom('company')
      .select(['name', 'city', 'address1', 'phone_no', 'website_url'])
      .where('id', '=', company)
      .executeTakeFirstOrThrow(notShared)
    return { form, published, sharer }
  })
  const settings = settingsOf(kind, { ...source.form, ...localOf(kind) })
  const values = await call.reading((tx) => readValues(tx, call.company.id))
  const result = neutralContent({ settings, questions: source.published }, source.sharer, values)
  const content = { ...result.content, settings: checkSettings(kind, { ...kind.usual, ...result.content.settings }) }
  const preview = previewOf(kind, content)
  const seen = { municipality: source.sharer.name, preview, replaced: result.replaced, mentions: result.mentions }
  return { content, seen, digest: digestOf(seen) }
}

const localOf = ({ local = [] }: ContentKind) => Object.fromEntries(local.map((field) => [field, '']))

export const sharedRecordCall = implement(sharedRecord, async (call) => {
  const { seen, digest } = await loadShared(call, sharedKind(call, call.body.kind), call.body)
  return { ...seen, digest }
})

export const copySharedRecordCall = implement(copySharedRecord, async (call) => {
  const kind = sharedKind(call, call.body.kind)
  const { content, seen, digest } = await loadShared(call, kind, call.body)
  refuseOutdated(call.body.digest, digest)
  return call.inCompany(async (tx: Tx) => {
    const id = await createFromContent(await creatingFor(call, tx, kind.calls), kind, content, null)
    const title = titleOf(kind, content)
    const { municipality } = seen
    await call.audit(tx, { action: 'company.record_copied', detail: { kind: kind.kind, id, title, municipality } })
    return { success: true as const, message: say`“${title}” was created.`, id, path: kind.path(id) }
  })
})
