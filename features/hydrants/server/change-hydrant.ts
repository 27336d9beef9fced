import { dateIn } from '../../../shared/dates.ts'
import { defineUnique } from '../../../server/db/unique.ts'
import { say } from '../../../shared/messages.ts'
import { type Call, implement } from '../../../server/call.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import { rejected } from '../../../server/errors.ts'
import { recordCreation, transition, actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { addHydrant, type HydrantForm, transitionHydrant, saveHydrant } from '../contract.ts'
import { formOf, hydrantStateStore, lockHydrant, resolveLocationColumns } from './hydrants.ts'

const numberOrNull = (text: string): number | null => (text === '' ? null : Number(text))
const LATER = 'Enter a last inspection date that is not in the future.'

async function rowOf(tx: Tx, { context, company }: Call, form: HydrantForm) {
  if (form.lastInspectedOn > dateIn(company.timeZone, context.clock.now()))
    throw rejected(LATER, { lastInspectedOn: LATER })
  return {
    number: form.number,
    make: form.make,
    model: form.model,
    made_year: numberOrNull(form.madeYear),
    size_inches: numberOrNull(form.sizeInches),
    main_inches: numberOrNull(form.mainInches),
    last_inspected_on: form.lastInspectedOn || null,
    next_inspection_on: form.nextInspectionOn || null,
    notes: form.notes,
    ...(await resolveLocationColumns(tx, company.id, form.location)),
  }
}

defineUnique({ index: 'hydrant_number_once', field: 'number', message: 'A hydrant with this number already exists.' })

const addCall = implement(addHydrant, (call) => {
  const { companyId: _named, ...form } = call.body
  const { company, context } = call
  return call.once(async (tx) => {
    const row = await rowOf(tx, call, form)
    const made = await tx
      .insertInto('hydrant')
      .values({ company_id: company.id, ...row, service: 'in_service', service_since: context.clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    const beginning = {
      scope: company.id,
      id: made.id,
      number: form.number,
      event: 'add' as const,
      actor: actorOf(call),
    }
    await recordCreation(tx, hydrantStateStore, beginning)
    return { success: true as const, message: say`Hydrant ${form.number} was added.`, hydrantId: made.id }
  })
})

export const saveHydrantCall = implement(saveHydrant, (call) => {
  const { companyId: _named, hydrantId, basis, ...own } = call.body
  const company = call.company.id
  return call.once(async (tx) => {
    const hydrant = await lockHydrant(tx, company, hydrantId)
    const before = formOf(hydrant)
    const subject = `hydrant ${hydrant.id}`
    const edit = editBy(tx, call, subject)
    const { after, isChanged } = await applyEdit<HydrantForm>(edit, { basis, own, before })
    if (isChanged) {
      await tx
        .updateTable('hydrant')
        .set(await rowOf(tx, call, after))
        .where('company_id', '=', company)
        .where('id', '=', hydrant.id)
        .execute()
      await call.audit(tx, {
        action: 'hydrant.changed',
        subject: { kind: 'hydrant', id: after.number },
        detail: { before: auditDetailOf(before), after: auditDetailOf(after) },
      })
    }
    return { success: true as const, message: say`Hydrant ${after.number} was saved.` }
  })
})

const auditDetailOf = ({ location, ...form }: HydrantForm) => ({ ...form, location: location.text })

export const transitionHydrantCall = implement(transitionHydrant, (call) => {
  const { company, body } = call
  return call.once(async (tx) => {
    const { message } = await transition(tx, hydrantStateStore, {
      ...{ scope: company.id, id: body.hydrantId, event: body.event, actor: actorOf(call), reason: body.reason },
      ...(body.event === 'retire' && { patch: { next_inspection_on: null } }),
      deps: call,
    })
    return { success: true as const, message }
  })
})

export const changeCalls = [addCall, saveHydrantCall, transitionHydrantCall]
