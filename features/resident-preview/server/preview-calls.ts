import { type Actor, auditCompany } from '../../../server/audit.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { removeFiles } from '../../../server/attachments/keep.ts'
import { notePreviewRows } from '../../../server/current-preview.ts'
import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { eachSeparately } from '../../../server/each-separately.ts'
import { conflict, Refusal } from '../../../server/errors.ts'
import {
  closePreview,
  completePreviewStep,
  createPreview,
  endPreview as removePreview,
  PREVIEW_STEP,
  previewSteps,
} from '../../../server/resident-preview.ts'
import { setupChoices } from '../../../server/setup.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { say, translated } from '../../../shared/messages.ts'
import { isOn } from '../../../server/modules.ts'
import type { Company } from '../../../server/hosts.ts'
import type { ModuleName } from '../../../shared/modules.ts'
import { roles } from '../../../shared/privileges.ts'
import { previewActs } from '../../../shared/resident-preview.ts'
import { startHandOff } from '../../impersonation/api.ts'
import { exampleBill } from '../../utility-accounts/api.ts'
import { currentPreview, endPreview, type PreviewStep, completeStep, returnPreview, startPreview } from '../contract.ts'

/** Time after which the job removes the records of a preview that was not ended. Its session ends before. */
const MAX_MINUTES = 40

/** Lists the steps with their pages in modules that are on. */
async function stepsOf(tx: Tx, company: Company): Promise<PreviewStep[]> {
  const done = (await setupChoices(tx, company)).get(PREVIEW_STEP) ?? null
  return previewSteps(company, done).map(({ name, isDone }) => {
    const { label, pages } = previewActs[name]
    const open = Object.entries(pages ?? {}).find(([module]) => isOn(company, module as ModuleName))
    return { name, label: translated(label), path: open?.[1] ?? null, isDone }
  })
}

const GUEST_BILL = previewActs.find.pages.utilities

/** Adds the numbers of a bill to the page that finds one. */
async function withExample(tx: Tx, { id }: Company, steps: PreviewStep[]): Promise<PreviewStep[]> {
  const takesBill = ({ name, path }: PreviewStep) => name === 'find' && path === GUEST_BILL
  const example = steps.some(takesBill) ? await exampleBill(tx, id) : null
  if (!example) return steps
  const path = `${GUEST_BILL}?${new URLSearchParams(example).toString()}`
  return steps.map((step) => (takesBill(step) ? { ...step, path } : step))
}

const returnPreviewCall = implement(returnPreview, (call) =>
  call.reading(async (tx) => ({ steps: await stepsOf(tx, call.company) })),
)

const startPreviewCall = implement(startPreview, async (call) => {
  const { company, context } = call
  await endPreviews(call, signedIn(call).personId)
  const now = context.clock.now()
  return call.inCompany(async (tx) => {
    const importId = await createPreview(tx, company.id, { by: callerName(call), now })
    const target = await notePreviewRows(tx, company.id, { importId, email: '' }, () =>
      addResident(tx, company, importId, now),
    )
    const codes = await startHandOff(tx, call, { target, reason: say`Preview as a resident`, preview: importId })
    return { success: true as const, message: 'The preview is opening in a new window.', ...codes }
  })
})

/** Creates the temporary resident of a preview. */
async function addResident(tx: Tx, company: Company, importId: number, now: Date): Promise<number> {
  const { id } = await tx
    .insertInto('person')
    .values({
      ...{ company_id: company.id, email: `preview-${importId}@preview.invalid`, role_id: roles.citizen },
      ...{ first_name: say`Preview`, last_name: say`Resident`, email_confirmed_at: now, created_at: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Lists previews with existing records. */
const openPreviews = (tx: Tx) =>
  tx
    .selectFrom('impersonation as i')
    .innerJoin('data_import as d', (join) =>
      join.onRef('d.company_id', '=', 'i.company_id').onRef('d.id', '=', 'i.preview_import_id'),
    )
    .select(['i.company_id', 'd.id as importId'])
    .where('d.undone_at', 'is', null)
    .where('i.target_id', 'is not', null)

/** Ends the previews of the municipality. With `startedBy`, only those of this staff member. */
export async function endPreviews(call: Call, startedBy?: number): Promise<void> {
  const { company, context } = call
  const open = await call.reading((tx) =>
    openPreviews(tx)
      .where('i.company_id', '=', company.id)
      .$if(startedBy !== undefined, (query) => query.where('i.actor_id', '=', startedBy as number))
      .execute(),
  )
  for (const { importId } of open) await end(context, company.id, importId, call)
}

/**
 * Ends a preview and removes its records. Records that others have worked with stay, but the session ends.
 * @returns false if the records stay
 */
async function end(context: AppContext, company: CompanyId, importId: number, actor: Actor): Promise<boolean> {
  const input = { by: actor.session?.impersonation?.actorName ?? '', now: context.clock.now() }
  const finish = <T>(remove: (tx: Tx) => Promise<T>, removed: boolean) =>
    context.inCompany(company, async (tx) => {
      const result = await remove(tx)
      await auditCompany(tx, context.clock, company, actor, { action: 'impersonation.previewed', detail: { removed } })
      return result
    })
  try {
    await removeFiles(context, await finish((tx) => removePreview(tx, company, importId, input), true))
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await finish((tx) => closePreview(tx, company, importId), false)
    return false
  }
}

const endPreviewCall = implement(endPreview, async (call) => {
  const preview = call.session?.impersonation?.preview
  if (!preview) throw conflict('no_preview', 'This session is not a preview.')
  const removed = await end(call.context, call.company.id, preview.importId, call)
  return {
    success: true as const,
    message: removed
      ? 'The preview has ended. Its records were removed.'
      : 'The preview has ended. Its records stay, because other people have worked with them.',
  }
})

const currentPreviewCall = implement(currentPreview, (call) => {
  if (!call.session?.impersonation?.preview) throw conflict('no_preview', 'This session is not a preview.')
  return call.reading(async (tx) => ({
    steps: await withExample(tx, call.company, await stepsOf(tx, call.company)),
  }))
})

const completeStepCall = implement(completeStep, async (call) => {
  if (call.session?.impersonation?.preview) await completePreviewStep(call, call.body.step)
  return { success: true as const, message: 'Saved.' }
})

/** Defines the job that removes the records of previews that no one ended. */
export function definePreviewJobs(context: AppContext): void {
  context.jobs.define(
    'previews.end',
    async () => {
      const before = new Date(context.clock.now().getTime() - MAX_MINUTES * 60_000)
      const forgotten = await context.acrossCompanies((tx) =>
        openPreviews(tx).where('i.created_at', '<', before).execute(),
      )
      const actor = { session: null, requestId: '', kind: 'system' } as const
      await eachSeparately(context, forgotten, ({ company_id, importId }) =>
        end(context, companyIdFrom('job', company_id), importId, actor),
      )
    },
    { cron: '*/10 * * * *', retryLimit: 0 },
  )
}

export const previewCalls = [returnPreviewCall, startPreviewCall, currentPreviewCall, completeStepCall, endPreviewCall]
