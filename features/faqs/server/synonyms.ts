import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { editBy, mergeEdit, recordChanges } from '../../../server/edits.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { same } from '../../../shared/edits.ts'
import { may } from '../../../shared/privileges.ts'
import { faqSynonyms, saveFaqSynonyms } from '../contract-staff.ts'

const groupsOf = async (tx: Tx, company: CompanyId): Promise<string[]> =>
  (await tx.selectFrom('faq_synonym').select('terms').where('company_id', '=', company).orderBy('id').execute()).map(
    ({ terms }) => terms,
  )

export const synonymsCall = implement(faqSynonyms, async (call) => ({
  groups: await call.reading((tx) => groupsOf(tx, call.company.id)),
  can: { edit: may(call.session?.privileges ?? {}, 'faqs', 'update') },
}))

export const saveSynonymsCall = implement(saveFaqSynonyms, (call) => {
  const { basis } = call.body
  const company = call.company.id
  const own = { groups: [...new Set(call.body.groups.map((group) => group.replaceAll(/\s+/g, ' ')))] }
  return call.inCompany(async (tx) => {
    // Uses an advisory lock, because a row to lock may not exist yet.
    await sql`SELECT pg_advisory_xact_lock(${company}, hashtext('faq_synonym'))`.execute(tx)
    const before = { groups: await groupsOf(tx, company) }
    const edit = editBy(tx, call, 'faq_synonyms')
    const after = await mergeEdit(edit, { basis, own, now: before })
    if (!same(before, after)) {
      await tx.deleteFrom('faq_synonym').where('company_id', '=', company).execute()
      if (after.groups.length > 0)
        await tx
          .insertInto('faq_synonym')
          .values(after.groups.map((group) => ({ company_id: company, terms: group })))
          .execute()
      await recordChanges(edit, before, after)
      await call.audit(tx, { action: 'faq.synonyms_saved', detail: { before, after } })
    }
    return { success: true as const, message: 'Synonyms saved.' }
  })
})
