import { namesFor } from '../../../server/edits.ts'
import { implement } from '../../../server/call.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { Refusal, rejected } from '../../../server/errors.ts'
import { companyProcessor, processorList, saveProcessor } from '../contract.ts'
import { processorForm } from '../rules.ts'
import { forgetCompany, saveSection, sentencesOf } from './save-section.ts'
import { stored } from './stored.ts'
import { enter } from '../../onboarding/api.ts'
import { findProvider, settingsOf } from '../../payments/api.ts'
import { say } from '../../../shared/messages.ts'

/** Lists the processors that have an adapter (product rules, section 5). */
export const listProcessors = implement(processorList, async (call) => ({
  processors: await call.inCompany((tx) =>
    tx.selectFrom('processor').select(['id as processorId', 'name']).orderBy('id').execute(),
  ),
}))

export const showProcessor = implement(companyProcessor, async ({ context, company }) => ({
  processor: [await context.acrossCompanies((tx) => stored.processors.read(tx, company.id))],
}))

/**
 * Refuses a processor that cannot receive payments through this portal.
 * @throws 422 if this portal is not connected to the processor
 */
async function refuseUnconnected(context: AppContext, id: number): Promise<void> {
  const processor = await context.acrossCompanies((tx) =>
    tx.selectFrom('processor').select(['name', 'provider']).where('id', '=', id).executeTakeFirst(),
  )
  // A later check reports an unknown processor, together with errors in other fields.
  if (!processor || findProvider(context.config, processor.provider)) return
  const message = say`This portal is not connected to ${processor.name} yet. Ask the portal operator to connect it first.`
  throw rejected(message, { selectedProcessor: message })
}

const processorFields = {
  ...{ selectedProcessor: 'processor_id', primaryStaff: 'primary_contact', secondaryStaff: 'secondary_contact' },
}
const { storedNames, formName } = namesFor(processorFields)

/**
 * Saves the processor (spec 2.15, 5.3). The response lists the errors of all fields, with the first error as the
 * message.
 */
export const setProcessor = implement(saveProcessor, async (call) => {
  const { context } = call
  const { basis: opened, ...body } = call.body
  const typed = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''))
  const parsed = processorForm.safeParse(typed)
  if (!parsed.success) {
    const errors = sentencesOf(parsed.error)
    throw rejected(Object.values(errors)[0] ?? '', errors)
  }
  const { company: id, selectedProcessor, primaryStaff, secondaryStaff } = parsed.data
  const company = id <= 2_147_483_647 ? await context.hosts.byId(id) : null
  if (!company) throw rejected('This municipality was not found.', { company: 'This municipality was not found.' })
  await refuseUnconnected(context, selectedProcessor)
  const value = { processor_id: selectedProcessor, primary_contact: primaryStaff, secondary_contact: secondaryStaff }
  const basis = opened && storedNames(opened)
  const saving = { section: 'processors' as const, value, basis, formName }
  await context
    .acrossCompanies(async (tx) => {
      await saveSection(tx, context, call, company.id, saving)
      await enter(tx, context, company.id, (await settingsOf(tx, company.id)).provider)
    })
    .catch(renameFields)
  forgetCompany(context)
  return { success: true as const, message: say`The processor for ${company.name} was saved.` }
})

/** Gives the messages of a refused section the names of the form's fields. */
function renameFields(error: unknown): never {
  if (!(error instanceof Refusal) || error.status !== 422) throw error
  const fields = Object.entries((error.details?.['fields'] ?? {}) as Record<string, string>)
  throw rejected(error.message, Object.fromEntries(fields.map(([field, message]) => [formName(field), message])))
}
