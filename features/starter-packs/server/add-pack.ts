import { implement } from '../../../server/call.ts'
import { creatingFor } from '../../../server/contents.ts'
import { notAllowed } from '../../../server/errors.ts'
import { lockUntilCommit } from '../../../server/named-lock.ts'
import { plural, say } from '../../../shared/messages.ts'
import { addStarterPack } from '../contract.ts'
import { readValues } from '../../../server/company-values.ts'
import { addedKeys, findPack, missingArea, storedLanguage } from './show-packs.ts'

export const addStarterPackCall = implement(addStarterPack, (call) => {
  const { pack: name, language } = call.body
  const pack = findPack(call, name)
  const needed = missingArea(call, pack)
  if (needed !== '') throw notAllowed(say`To add this pack, you need the level “Manage” in ${needed}.`)
  const company = call.company.id
  return call.inCompany(async (tx) => {
    await lockUntilCommit(tx, 'starter_item', company, pack.pack)
    const before = await addedKeys(tx, company, pack, language)
    const existing = new Map((await pack.existing(tx, company)).map(({ id, title }) => [title.toLowerCase(), id]))
    const adding = await creatingFor(call, tx, pack.calls)
    const counts = { added: 0, drafts: 0, existing: 0 }
    const rows = []
    for (const entry of pack.entries(language, await readValues(tx, company))) {
      if (before.has(entry.key)) continue
      const own = existing.get(entry.preview.title.toLowerCase())
      const subject_id = own ?? (await entry.add(adding))
      if (own !== undefined) counts.existing++
      else counts.added++
      if (own === undefined && !entry.isComplete) counts.drafts++
      rows.push({
        ...{ company_id: company, pack: pack.pack, language: storedLanguage(pack, language), key: entry.key },
        ...{ version: pack.version(), subject_id, added_at: call.context.clock.now() },
      })
    }
    if (rows.length > 0) {
      await tx.insertInto('starter_item').values(rows).execute()
      await call.audit(tx, { action: 'company.starter_pack_added', detail: { pack: pack.pack, language, ...counts } })
    }
    return { success: true as const, message: say`${plural(counts.added, '# item', '# items')} added.`, ...counts }
  })
})
