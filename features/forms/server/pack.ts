import { definePack, definitionOf, type PackStep } from '../../../server/packs.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { plural, say, translated } from '../../../shared/messages.ts'
import { formatCents } from '../../../shared/money.ts'
import { changeFormType, createFormType, publishFormFields, saveFormFields } from '../contract.ts'
import { categories, feeKinds, GL_ACCOUNT, type TypeForm, usualType } from '../rules.ts'
import { changeFormTypeCall, createFormTypeCall } from './change-types.ts'
import { formFieldCalls } from './fields.ts'

export type FormEntry = Pick<TypeForm, 'title' | 'category' | 'description'> &
  Partial<TypeForm> & { department?: string; steps: readonly PackStep[] }

/** Builds the settings of a form from an entry. */
export function settingsOf({ department: _department, steps: _steps, ...form }: FormEntry): TypeForm {
  const { feeKind = 'none' } = form
  return { ...usualType, glAccount: feeKind === 'none' ? '' : GL_ACCOUNT, ...form }
}

function feeText({ feeKind = 'none', feeCents = null }: FormEntry): string {
  if (feeKind === 'computed') return say`Fee by the answers`
  return feeKind === 'fixed' ? say`Fee ${formatCents(feeCents ?? 0)}` : translated(feeKinds.none)
}

export const formPack = definePack<FormEntry>({
  pack: 'forms',
  label: 'Forms',
  area: 'forms',
  content: 'form',
  calls: [createFormTypeCall, changeFormTypeCall, ...formFieldCalls],
  existing: (tx, company) =>
    tx.selectFrom('form_type').select(['id', 'title']).where('company_id', '=', company).execute(),
  preview: (entry) => ({
    title: entry.title,
    text: entry.description,
    details: [
      translated(categories[entry.category]),
      say`${plural(allFields(definitionOf(entry.steps)).length, '# question', '# questions')}`,
      feeText(entry),
      ...(entry.issues ? [say`Issues: ${entry.issues}`] : []),
    ],
  }),
  add: async ({ run, department }, entry, isComplete) => {
    const form = { ...settingsOf(entry), departmentId: department(entry.department) }
    const { typeId } = await run(createFormType, { form, templateId: null })
    const definition = definitionOf(entry.steps)
    await run(saveFormFields, { typeId, definition })
    await run(publishFormFields, { typeId, definition })
    if (isComplete) await run(changeFormType, { typeId, event: 'publish' })
    return typeId
  },
})
