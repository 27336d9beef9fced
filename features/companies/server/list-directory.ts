import { sql } from 'kysely'
import { makeTheme } from '../../../shared/theme.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { COMPANY_IDS, cursorOf, isText, readCursor } from '../../../server/cursor.ts'
import { originOf } from '../../../server/config.ts'
import { hasPart, searchTerms } from '../../../server/list-sql.ts'

const COMPANIES_PER_PAGE = 60

/** Lists the online companies with their colors, by name, one page at a time. Returns only public data. */
export async function listDirectory(
  context: Pick<AppContext, 'outside' | 'config'>,
  { search, cursor }: { search: string; cursor?: string | undefined },
) {
  const after = readCursor(cursor, isText, COMPANY_IDS)
  const rows = await context.outside((tx) => {
    const name = sql<string>`name_key`
    let query = tx
      .selectFrom('company')
      .select([
        'id',
        'name',
        'city',
        'state',
        'subdomain',
        'file_path',
        'theme_background',
        'theme_text',
        name.as('key'),
      ])
      .where('is_online', '=', 1)
    for (const word of searchTerms(search))
      // The index also matches words in hidden columns. The second condition requires a match in the visible ones.
      query = query.where(
        sql<boolean>`${hasPart(sql`search_text`, word)} AND ${hasPart(sql`name || ' ' || city || ' ' || state`, word)}`,
      )
    if (after) query = query.where(sql<boolean>`(${name}, id) > (${after.key}, ${after.id})`)
    return query
      .orderBy(name)
      .orderBy('id')
      .limit(COMPANIES_PER_PAGE + 1)
      .execute()
  })
  const visible = rows.slice(0, COMPANIES_PER_PAGE)
  const last = visible.at(-1)
  const companies = visible.map(({ name, city, state, subdomain, file_path, theme_background, theme_text }) => {
    const { deep, tint } = makeTheme(theme_background, theme_text).tokens
    const url = originOf(context.config, subdomain)
    return { name, city, state, url, logoUrl: file_path || null, colors: { deep, tint } }
  })
  return {
    companies,
    next: rows.length > COMPANIES_PER_PAGE && last ? cursorOf({ key: last.key, id: last.id }) : null,
  }
}
