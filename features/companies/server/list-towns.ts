import { sql } from 'kysely'
import { makeTheme } from '../../../shared/theme.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { COMPANY_IDS, cursorOf, isText, readCursor } from '../../../server/cursor.ts'
import { originOf } from '../../../server/config.ts'
import { hasPart, wordsOf } from '../../../server/list-sql.ts'

const TOWNS_ON_A_PAGE = 60

/** The towns that are online, each with its own colours, by name, a page at a time. Public facts alone. */
export async function listTowns(
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
    for (const word of wordsOf(search))
      // The index finds the word, also where nobody is shown it; the second condition asks for what is shown here.
      query = query.where(
        sql<boolean>`${hasPart(sql`search_text`, word)} AND ${hasPart(sql`name || ' ' || city || ' ' || state`, word)}`,
      )
    if (after) query = query.where(sql<boolean>`(${name}, id) > (${after.key}, ${after.id})`)
    return query
      .orderBy(name)
      .orderBy('id')
      .limit(TOWNS_ON_A_PAGE + 1)
      .execute()
  })
  const shown = rows.slice(0, TOWNS_ON_A_PAGE)
  const last = shown.at(-1)
  const towns = shown.map(({ name, city, state, subdomain, file_path, theme_background, theme_text }) => {
    const { deep, tint } = makeTheme(theme_background, theme_text).tokens
    const url = originOf(context.config, subdomain)
    return { name, city, state, url, logoUrl: file_path || null, colours: { deep, tint } }
  })
  return { towns, next: rows.length > TOWNS_ON_A_PAGE && last ? cursorOf({ key: last.key, id: last.id }) : null }
}
