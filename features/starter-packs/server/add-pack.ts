import { type Call, implement, signedIn } from '../../../server/call.ts'
import { creatingFor, runnerOf } from '../../../server/contents.ts'
import { hasRow } from '../../../server/db/rows.ts'
import { notAllowed } from '../../../server/errors.ts'
import { lockUntilCommit } from '../../../server/named-lock.ts'
import { createDepartmentCall, type Pack } from '../../../server/packs.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { plural, say } from '../../../shared/messages.ts'
import { may } from '../../../shared/privileges.ts'
import { addStarterPack } from '../contract.ts'
import { readValues } from '../../../server/company-values.ts'
import { contentFrom } from './newer-texts.ts'
import { addedKeys, findPack, missingArea, storedLanguage } from './show-packs.ts'

/**
 * Adds the departments of a pack to a municipality without departments, if the person may create departments.
 * @returns number of added departments
 */
async function addDepartments(call: Call, tx: Tx, pack: Pack): Promise<number> {
  const create = createDepartmentCall()
  const { privileges } = signedIn(call)
  if (!create || !may(privileges, 'departments', 'create')) return 0
  if (await hasRow(tx, 'department', { company_id: call.company.id })) return 0
  const run = runnerOf(call, tx, [create])
  for (const name of pack.departments()) await run(create.endpoint, { companyId: call.company.id, name })
  return pack.departments().length
}

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
    const isNew = pack.keys().some((key) => !before.has(key))
    const counts = { added: 0, drafts: 0, existing: 0, departments: isNew ? await addDepartments(call, tx, pack) : 0 }
    const adding = await creatingFor(call, tx, pack.calls)
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
        content: own === undefined ? JSON.stringify(await contentFrom(tx, call, pack, subject_id)) : null,
      })
    }
    if (rows.length > 0) {
      await tx.insertInto('starter_item').values(rows).execute()
      await call.audit(tx, { action: 'company.starter_pack_added', detail: { pack: pack.pack, language, ...counts } })
    }
    return { success: true as const, message: say`${plural(counts.added, '# item', '# items')} added.`, ...counts }
  })
})
