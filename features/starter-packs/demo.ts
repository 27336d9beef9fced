import { contentKindNamed, readContent } from '../../server/contents.ts'
import type { DemoPart } from '../../server/demo.ts'
import { packNamed } from '../../server/packs.ts'
import { companyIdFrom, outsideCompanies, tenancyOn } from '../../server/tenancy.ts'

/** Plan of the demo companies that staff made of a pack's entry, and the texts of the entry at that time. */
const PLAN = 'Walk through the playgrounds'
const entry = {
  key: 'playground',
  title: 'Check the playgrounds',
  startTime: '',
  leadDays: 14,
  checklist: ['Swings and chains', 'Slides and climbers', 'Ground cover depth', 'Fences and gates', 'Trash and glass'],
}

/** Marks a maintenance plan as an entry of the first version of its pack. Staff see that the pack has newer texts. */
export const demo: DemoPart = {
  after: async ({ db, clock }) => {
    const [pack, kind] = [packNamed('work-order-plans'), contentKindNamed('maintenance-plan')]
    if (!pack || !kind) return
    const companies = await outsideCompanies(db.platform)((tx) => tx.selectFrom('company').select('id').execute())
    for (const company of companies.map(({ id }) => companyIdFrom('job', id)))
      await tenancyOn(db.app)(company, async (tx) => {
        const plan = (await pack.existing(tx, company)).find(({ title }) => title === PLAN)
        if (!plan) return
        const { settings } = await readContent(tx, company, kind, plan.id)
        const { key: _key, checklist, ...texts } = entry
        const content = { settings: { ...settings, ...texts, checklist: checklist.join('\n') }, questions: null }
        await tx
          .insertInto('starter_item')
          .values({
            ...{ company_id: company, pack: pack.pack, language: 'en', key: entry.key, version: 1 },
            ...{ subject_id: plan.id, content: JSON.stringify(content), added_at: clock.now() },
          })
          .execute()
      })
  },
}
