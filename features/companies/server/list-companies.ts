import { type RawBuilder, sql } from 'kysely'
import { auditPlatform } from '../../../server/audit.ts'
import { implement } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { csvText, implementCsv } from '../../../server/csv.ts'
import type { Session } from '../../../server/sessions.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { may } from '../../../shared/privileges.ts'
import { isBuilt } from '../../../shared/all-screens.ts'
import { companiesCsv } from '../contract.ts'
import { companiesInformation } from '../../../shared/companies.ts'
import { COMPANY_IDS, cursorOf, isText, isWhole, pageOf, readCursor } from '../../../server/cursor.ts'
import { allOf, countUpTo, matchesSearch, walkOf } from '../../../server/list-sql.ts'

type Question = NonNullable<RequestOf<typeof companiesInformation>['queryParams']>

/**
 * Lists all companies, or the requested page. Does not use `implementList`, because the specification defines body and
 * response (spec 7.5).
 */
export const listCompanies = implement(companiesInformation, async ({ context, body, session }) => {
  const result = await context.acrossCompanies((tx) =>
    body.queryParams ? onePage(tx, body.queryParams) : everyCompany(tx),
  )
  const can = abilities(session)
  const { rows, ...paging } = result
  return {
    companies: rows.map(({ key: _key, ...row }) => ({ ...row, url: originOf(context.config, row.subdomain), can })),
    ...paging,
  }
})

/** Exports the list as CSV, in the order of the screen. */
export const exportCompanies = implementCsv(companiesCsv, async (call) => {
  const { context, body } = call
  const { companyName, search, sort, direction } = body.queryParams
  await context.acrossCompanies((tx) =>
    auditPlatform(tx, context.clock, call, { action: 'export.companies', detail: { companyName, search } }),
  )
  const sqlDirection = sql.raw(direction)
  const text = (column: string) => csvText(sql.ref(column))
  return {
    company: null,
    subject: 'companies',
    question: sql`
      SELECT id AS "ID", guid AS "Guid", ${text('name')} AS "Name", ${text('address1')} AS "Address", ${text('city')} AS "City",
        ${text('state')} AS "State", ${text('zipcode')} AS "Zip", ${text('phone_no')} AS "Phone", ${text('website_url')} AS "Website",
        subdomain AS "Subdomain", CASE is_online WHEN 1 THEN 'Yes' ELSE 'No' END AS "Is Online",
        CASE use_dbilling WHEN 1 THEN 'Yes' ELSE 'No' END AS "Billing"
      FROM company WHERE ${like(body.queryParams)} ORDER BY ${sortKeys[sort]} ${sqlDirection}, id ${sqlDirection}`,
  }
})

const sortKeys: Record<Question['sort'], RawBuilder<string | number>> = {
  name: sql<string>`name_key`,
  id: sql<number>`id`,
}

const companies = (tx: Tx, sort: Question['sort']) =>
  tx
    .selectFrom('company')
    .select([
      'id',
      'guid',
      'name',
      'address1',
      'address2',
      'city',
      'state',
      'zipcode',
      'phone_no',
      'website_url',
      'subdomain',
    ])
    .select(['is_online', 'use_dbilling', 'file_path', sortKeys[sort].as('key')])

async function everyCompany(tx: Tx) {
  const rows = await companies(tx, 'name').orderBy(sortKeys.name).orderBy('id').execute()
  return { rows, total: rows.length, next: null, previous: null }
}

/** `page` skips to a page by number, as the specification's body requires. The screens use cursors. */
async function onePage(tx: Tx, question: Question) {
  const { sort, direction, pageSize, page } = question
  const at =
    sort === 'id' ? readCursor(question.cursor, isWhole, COMPANY_IDS) : readCursor(question.cursor, isText, COMPANY_IDS)
  const matching = like(question)
  const key = sortKeys[sort]
  const { order, beyond } = walkOf(direction, at)
  let query = companies(tx, sort).where(matching)
  if (at) query = query.where(sql<boolean>`(${key}, id) ${beyond} (${at.key}, ${at.id})`)
  const skipped = !at && page ? (page - 1) * pageSize : 0
  const [read, total] = await Promise.all([
    query
      .orderBy(key, order)
      .orderBy('id', order)
      .limit(pageSize + 1)
      .offset(skipped)
      .execute(),
    countUpTo(tx, sql`SELECT 1 FROM company WHERE ${matching}`),
  ])
  const result = pageOf(read, at, pageSize, (row) => row.key)
  const [first] = result.rows
  const before = skipped > 0 && first ? cursorOf({ key: first.key, id: first.id, back: true }) : result.previous
  return { ...result, previous: before, total }
}

/** `companyName` matches words in the name, `search` in all columns of the table. */
function like({ companyName, search }: Pick<Question, 'companyName' | 'search'>) {
  return allOf([matchesSearch(sql`name_key`, companyName), matchesSearch(sql`search_text`, search)])
}

/** Returns the actions that the caller may take on each row. Actions without a screen are false. */
function abilities(session: Session | null): Record<string, boolean> {
  const privileges = session?.privileges ?? {}
  return {
    open: true,
    impersonate: isBuilt('/municipality/initialize-impersonation') && may(privileges, 'login_logout', 'view'),
    view: isBuilt('/admin/1/company/information') && may(privileges, 'company_setup', 'view'),
    setUtilityProcessor: may(privileges, 'company_setup', 'update'),
    edit: may(privileges, 'company_setup', 'update'),
  }
}
