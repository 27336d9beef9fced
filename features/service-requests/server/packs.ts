import { callsOfCase } from '../../../server/cases/calls.ts'
import { definePack, definitionOf, type PackStep } from '../../../server/packs.ts'
import { plural, say } from '../../../shared/messages.ts'
import { publishCategoryFields, saveCategory, saveCategoryFields } from '../contract-settings.ts'
import { requestCase } from '../contract.ts'
import { requests } from './case.ts'
import { publishCategoryFieldsCall, saveCategoryFieldsCall } from './category-fields.ts'
import { nextSortNo } from './content.ts'
import { saveCategoryCall } from './save-category.ts'

interface CategoryEntry {
  name: string
  hint?: string
  targetDays: number
  department?: string
  /** True for requests about people: guests cannot send them, and the map does not show them. */
  isPrivate?: boolean
  needsLocation?: boolean
  questions?: readonly PackStep[]
}

export const categoryPack = definePack<CategoryEntry>({
  pack: 'request-categories',
  label: 'Request categories',
  area: 'requests',
  content: 'request-category',
  calls: [saveCategoryCall, saveCategoryFieldsCall, publishCategoryFieldsCall],
  existing: (tx, company) =>
    tx.selectFrom('request_category').select(['id', 'name as title']).where('company_id', '=', company).execute(),
  preview: ({ name, hint = '', targetDays, department = '', questions = [] }) => {
    const count = questions.flatMap(({ fields }) => fields).length
    return {
      title: name,
      text: hint,
      details: [
        say`${plural(targetDays, '# business day', '# business days')} to complete`,
        ...(department === '' ? [] : [say`Department: ${department}`]),
        ...(count > 0 ? [say`${plural(count, '# question', '# questions')}`] : []),
      ],
    }
  },
  add: async ({ tx, company, run, department }, entry, isComplete) => {
    const { name, hint = '', targetDays, isPrivate = false, needsLocation = true, questions } = entry
    const { categoryId } = await run(saveCategory, {
      ...{ categoryId: null, name, hint, targetDays, needsLocation, active: isComplete, escalateTo: null },
      ...{ sortNo: await nextSortNo(tx, company), departmentId: department(entry.department) },
      ...{ forGuests: !isPrivate, onMap: !isPrivate },
    })
    if (questions) {
      const definition = definitionOf(questions)
      await run(saveCategoryFields, { categoryId, definition })
      await run(publishCategoryFields, { categoryId, definition })
    }
    return categoryId
  },
})

interface ReplyEntry {
  title: string
  text: string
}

/** Saved replies for requests. Staff choose one while they answer. */
export const savedReplyPack = definePack<ReplyEntry>({
  pack: 'saved-replies',
  label: 'Saved replies for requests',
  area: 'requests',
  calls: callsOfCase(requests),
  existing: (tx, company) =>
    tx
      .selectFrom('saved_reply')
      .select(['id', 'title'])
      .where('company_id', '=', company)
      .where('subject_kind', '=', requestCase.kind)
      .execute(),
  preview: ({ title, text }) => ({ title, text, details: [] }),
  add: async ({ run }, { title, text }) =>
    (await run(requestCase.saveReply, { savedReplyId: null, title, text })).savedReplyId,
})
