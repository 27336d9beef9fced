import { sql } from 'kysely'
import { dateIn } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { say, translated } from '../../../shared/messages.ts'
import { callerName, implement } from '../../../server/call.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { recordFlowTest, type returnHydrant, voidFlowTest } from '../contract.ts'
import { classOf, dropOf, dropMessages, flowOf } from '../rules.ts'
import { lockHydrant } from './hydrants.ts'

const FUTURE = 'Enter a test date that is not in the future.'

/** Updates a hydrant's rating from its newest valid test with a sufficient pressure drop (`dropOf`). */
async function finishFlow(tx: Tx, company: CompanyId, hydrantId: number): Promise<void> {
  await sql`
    UPDATE hydrant h SET tested_on = t.tested_on, available_gpm = t.available_gpm, flow_class = t.flow_class
    FROM (SELECT 1) one LEFT JOIN LATERAL (
      SELECT tested_on, available_gpm, flow_class FROM hydrant_flow_test
      WHERE company_id = ${company} AND hydrant_id = ${hydrantId} AND voided_at IS NULL
        AND round(((static_psi - residual_psi) * 1000)::numeric) * 10 >= round((static_psi * 1000)::numeric)
      ORDER BY tested_on DESC, id DESC LIMIT 1) t ON true
    WHERE h.company_id = ${company} AND h.id = ${hydrantId}`.execute(tx)
}

export const recordFlowTestCall = implement(recordFlowTest, (call) => {
  const { company, context, body } = call
  const { testedOn, testedBy, flowedAt, notes } = body
  if (testedOn > dateIn(company.timeZone, context.clock.now())) throw rejected(FUTURE, { testedOn: FUTURE })
  const outlets = body.outlets.map(({ diameterInches, coefficient, pitotPsi }) => ({
    diameterInches: Number(diameterInches),
    coefficient: Number(coefficient),
    pitotPsi: Number(pitotPsi),
  }))
  const [staticPsi, residualPsi] = [Number(body.staticPsi), Number(body.residualPsi)]
  const { flowGpm, availableGpm } = flowOf({ staticPsi, residualPsi, outlets })
  const flowClass = classOf(availableGpm)
  return call.once(async (tx) => {
    const { id, number, service } = await lockHydrant(tx, company.id, body.hydrantId)
    if (service === 'retired')
      throw conflict(
        'wrong_status',
        say`You cannot record a flow test for hydrant ${number} because it is retired. Restore it first.`,
      )
    const readings = { static_psi: staticPsi, residual_psi: residualPsi, outlets: JSON.stringify(outlets) }
    await tx
      .insertInto('hydrant_flow_test')
      .values({
        company_id: company.id,
        hydrant_id: id,
        tested_on: testedOn,
        tested_by: testedBy,
        flowed_at: flowedAt,
        ...readings,
        flow_gpm: flowGpm,
        available_gpm: availableGpm,
        flow_class: flowClass,
        notes,
        recorded_at: context.clock.now(),
      })
      .execute()
    await finishFlow(tx, company.id, id)
    await call.audit(tx, {
      action: 'hydrant.tested',
      subject: { kind: 'hydrant', id: number },
      detail: { testedOn, staticPsi, residualPsi, outlets: outlets.length, flowGpm, availableGpm, flowClass },
    })
    const message =
      dropOf({ staticPsi, residualPsi }) === 'weak'
        ? say`Flow test for hydrant ${number} recorded. ${translated(dropMessages.weak)}`
        : say`Flow test recorded. Hydrant ${number}: ${availableGpm.toLocaleString('en-US')} GPM at 20 psi, class ${flowClass}.`
    return { success: true as const, message, flowGpm, availableGpm, flowClass }
  })
})

const voidCall = implement(voidFlowTest, (call) => {
  const { company, context, body } = call
  return call.inCompany(async (tx) => {
    const { id, number } = await lockHydrant(tx, company.id, body.hydrantId)
    const test = await tx
      .selectFrom('hydrant_flow_test')
      .select(['id', 'tested_on', 'voided_at'])
      .where('company_id', '=', company.id)
      .where('hydrant_id', '=', id)
      .where('id', '=', body.testId)
      .executeTakeFirst()
    if (!test) throw notFound('This flow test was not found.')
    if (test.voided_at) throw conflict('struck', 'This flow test is already void.')
    await tx
      .updateTable('hydrant_flow_test')
      .set({
        voided_at: context.clock.now(),
        voided_by: callerName(call),
        voided_reason: body.reason,
      })
      .where('company_id', '=', company.id)
      .where('id', '=', test.id)
      .execute()
    await finishFlow(tx, company.id, id)
    await call.audit(tx, {
      action: 'hydrant.test_voided',
      subject: { kind: 'hydrant', id: number },
      detail: { testedOn: test.tested_on, reason: body.reason },
    })
    return { success: true as const, message: 'Flow test voided. It no longer counts.' }
  })
})

type Test = ResponseOf<typeof returnHydrant>['tests'][number]

/** Lists the tests of a hydrant, newest first. */
export async function testsOf(tx: Tx, company: CompanyId, hydrantId: number): Promise<Test[]> {
  const rows = await tx
    .selectFrom('hydrant_flow_test')
    .selectAll()
    .where('company_id', '=', company)
    .where('hydrant_id', '=', hydrantId)
    .orderBy('tested_on', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    testedOn: row.tested_on,
    testedBy: row.tested_by,
    flowedAt: row.flowed_at,
    staticPsi: row.static_psi,
    residualPsi: row.residual_psi,
    outlets: row.outlets,
    flowGpm: row.flow_gpm,
    availableGpm: row.available_gpm,
    flowClass: row.flow_class,
    notes: row.notes,
    voidReason: row.voided_reason,
    voidedBy: row.voided_by,
  }))
}

export const flowTestCalls = [recordFlowTestCall, voidCall]
