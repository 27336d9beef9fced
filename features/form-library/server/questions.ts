import { sql } from 'kysely'
import { auditPlatform, PLATFORM } from '../../../server/audit.ts'
import { implement } from '../../../server/call.ts'
import { applyEdit, type Edit } from '../../../server/edits.ts'
import { rejected } from '../../../server/errors.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { say } from '../../../shared/messages.ts'
import { packForms } from '../../forms/api.ts'
import { questionSources, saveFormQuestions } from '../contract.ts'
import { holdForm } from './form-states.ts'

const NO_SOURCE = 'This form was not found. Choose another one.'

export const questionSourcesCall = implement(questionSources, async () => ({
  sources: packForms().map(({ key, title, definition }) => ({ key, title, questions: allFields(definition).length })),
}))

/** Sets the questions and settings of the current version. Forms that municipalities already have do not change. */
export const saveFormQuestionsCall = implement(saveFormQuestions, async (call) => {
  const { templateId, basis, source } = call.body
  const { clock } = call.context
  return call.context.acrossCompanies(async (tx) => {
    const { title, current_version: version } = await holdForm(tx, templateId)
    const before = { source: await sourceOf(tx, templateId, version) }
    const edit: Edit = { tx, clock, actor: call, company: PLATFORM, subject: `form:${templateId}:questions` }
    const { after, isChanged } = await applyEdit(edit, { basis, own: { source }, before })
    const content = packForms().find(({ key }) => key === after.source)
    if (after.source !== '' && !content) throw rejected(NO_SOURCE, { source: NO_SOURCE })
    if (isChanged) {
      await (content ? storeContent(tx, templateId, version, content) : removeContent(tx, templateId, version))
      await auditPlatform(tx, clock, call, {
        action: 'form.questions_saved',
        subject: { kind: 'form', id: templateId },
        detail: { title, version, before, after },
      })
    }
    const message = content ? say`${title} has questions now.` : say`${title} has no questions now.`
    return { success: true as const, message }
  })
})

const removeContent = (tx: Tx, templateId: number, version: number) =>
  tx.deleteFrom('form_template_content').where('template_id', '=', templateId).where('version', '=', version).execute()

/** Returns the source of the questions of a version. Empty if the version has none. */
async function sourceOf(tx: Tx, templateId: number, version: number): Promise<string> {
  const row = await tx
    .selectFrom('form_template_content')
    .select('source')
    .where('template_id', '=', templateId)
    .where('version', '=', version)
    .executeTakeFirst()
  return row?.source ?? ''
}

export async function storeContent(
  tx: Tx,
  template_id: number,
  version: number,
  { key: source, definition, settings }: ReturnType<typeof packForms>[number],
): Promise<void> {
  const values = { source, definition: JSON.stringify(definition), settings: JSON.stringify(settings) }
  await tx
    .insertInto('form_template_content')
    .values({ template_id, version, ...values })
    .onConflict((on) => on.columns(['template_id', 'version']).doUpdateSet(values))
    .execute()
}

/** Copies the questions of the version before to a new version of the file. */
export const keepContent = (tx: Tx, templateId: number, version: number): Promise<unknown> =>
  sql`
    INSERT INTO form_template_content (template_id, version, source, definition, settings)
    SELECT template_id, ${version}::int, source, definition, settings FROM form_template_content
    WHERE template_id = ${templateId} AND version = ${version - 1}`.execute(tx)
