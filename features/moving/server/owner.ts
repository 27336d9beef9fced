import { type Call, implement } from '../../../server/call.ts'
import { addMessage, lockCase } from '../../../server/cases/entries.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { countAttempt, defineAddressLimit } from '../../../server/limits.ts'
import { hashSecret } from '../../../server/sessions.ts'
import { say } from '../../../shared/messages.ts'
import { answerAsOwner, ownerRequest } from '../contract.ts'
import { moves } from './case.ts'

/** Rate limit for links that match no move, to prevent guessing. */
const invalidLinks = defineAddressLimit('move-owner-links', { max: 20 })
const LINK_EXPIRED = 'This link has expired, or the move request was withdrawn. Please call the office.'

/** Finds the move of a link. Counts links that match no move, to prevent guessing. */
async function moveIdOf(call: Call, token: string): Promise<number> {
  const { context, company, address } = call
  const tried = await countAttempt(context, [invalidLinks(address)])
  const row = await call.reading((tx) =>
    tx
      .selectFrom('move_owner_link')
      .select('move_id')
      .where('company_id', '=', company.id)
      .where('token_hash', '=', hashSecret(token))
      .where('expires_at', '>', context.clock.now())
      .executeTakeFirst(),
  )
  if (!row) throw notFound(LINK_EXPIRED)
  await tried.release()
  return row.move_id
}

const showOfferCall = implement(ownerRequest, async (call) => {
  const id = await moveIdOf(call, call.body.token)
  return call.reading(async (tx) => {
    const row = await tx
      .selectFrom('move_request')
      .selectAll()
      .where('company_id', '=', call.company.id)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const isComing = row.enters_on !== null
    return {
      number: row.number,
      ownerName: row.owner_name,
      name: row.name,
      premise: isComing ? row.enters_premise : row.leaves_premise,
      on: row.moves_on,
      isComing,
      response: row.owner_answer === 'none' ? ('asked' as const) : row.owner_answer,
      open: row.owner_answer === 'asked' && row.status === 'Pending',
    }
  })
})

/** Stores the owner's answer with the signer's name and the time. The answer can't be changed later. */
const answerCall = implement(answerAsOwner, async (call) => {
  const { context, company, body } = call
  const id = await moveIdOf(call, body.token)
  return call.inCompany(async (tx) => {
    const row = await lockCase(tx, moves, company.id, id)
    if (row.owner_answer !== 'asked' || row.status !== 'Pending')
      throw conflict('answered', say`Move request ${row.number} no longer needs an answer.`)
    const agrees = body.agrees === 'yes'
    const now = context.clock.now()
    await tx
      .updateTable('move_request')
      .set({
        owner_answer: agrees ? 'agreed' : 'refused',
        owner_answered_at: now,
        owner_signed: body.signed,
        owner_covers_vacancy: agrees && body.standsIn,
        updated_at: now,
      })
      .where('company_id', '=', company.id)
      .where('id', '=', id)
      .execute()
    const detail = { agrees, standsIn: agrees && body.standsIn, signed: body.signed }
    await call.audit(tx, { action: 'move.owner_answered', subject: { kind: 'move_request', id: row.number }, detail })
    const by = { kind: 'person' as const, id: null, name: body.signed }
    const text = agrees ? say`The owner agreed to this move.` : say`The owner did not agree to this move.`
    await addMessage(tx, context, moves, row, 'message', { by, text, at: now, files: [] })
    return {
      success: true as const,
      message: agrees
        ? say`Thank you. We have recorded that you agree to this move.`
        : say`Thank you. We have recorded that you do not agree to this move.`,
    }
  })
})

export const ownerCalls = [showOfferCall, answerCall]
