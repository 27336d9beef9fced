import { definePack, definitionOf, type PackStep } from '../../../server/packs.ts'
import { plural, say } from '../../../shared/messages.ts'
import { addTemplate, publishTemplateItems, saveTemplateItems } from '../contract.ts'
import { LOCATION } from '../rules.ts'
import { existingSubject } from './content.ts'
import { templateCalls } from './templates.ts'

interface TemplateEntry {
  name: string
  /** Kind of the subject. A location if no feature declares the kind. */
  subjectKind?: string
  everyMonths: number | null
  certificate: string
  items: readonly PackStep[]
}

export const inspectionPack = definePack<TemplateEntry>({
  pack: 'inspection-templates',
  label: 'Inspection templates',
  area: 'inspections',
  content: 'inspection-template',
  calls: templateCalls,
  existing: (tx, company) =>
    tx.selectFrom('inspection_template').select(['id', 'name as title']).where('company_id', '=', company).execute(),
  preview: ({ name, everyMonths, certificate, items }) => ({
    title: name,
    text: certificate,
    details: [
      say`${plural(items.length, '# item', '# items')}`,
      everyMonths === null ? say`Once` : say`Every ${plural(everyMonths, '# month', '# months')}`,
    ],
  }),
  add: async ({ run }, { name, subjectKind = LOCATION, everyMonths, certificate, items }, isComplete) => {
    const form = { name, subjectKind: existingSubject(subjectKind), everyMonths, certificate, isActive: isComplete }
    const { templateId } = await run(addTemplate, form)
    const definition = definitionOf(items)
    await run(saveTemplateItems, { templateId, definition })
    await run(publishTemplateItems, { templateId, definition })
    return templateId
  },
})
