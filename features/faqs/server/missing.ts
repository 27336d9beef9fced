import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { Refusal } from '../../../server/errors.ts'
import { countTry, defineAddressLimit } from '../../../server/limits.ts'
import { tellMissing } from '../contract.ts'

/** Somebody who would fill the clerk's list. */
const missingByAddress = defineAddressLimit('faq-missing', { most: 20, after: 'pause' })

const LEFT_OUT = '…'
/** Mailboxes and long numbers are somebody's own, and of no use to whoever writes an answer. */
export const withoutPersons = (text: string): string =>
  text.replaceAll(/\S+@\S+/g, LEFT_OUT).replaceAll(/\d(?:[\s().-]?\d){4,}/g, LEFT_OUT)

const keyOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Counts what somebody looked for in vain. Nobody can tell from it who that was. */
async function keepMissing(call: Call, text: string): Promise<void> {
  const asked = withoutPersons(text).trim()
  const key = keyOf(asked)
  if (key.length < 2) return
  await countTry(call.context, [missingByAddress(call.address, call.company.id)])
  const now = call.context.clock.now()
  await call.inCompany((tx) =>
    tx
      .insertInto('faq_missing')
      .values({ company_id: call.company.id, asked, asked_key: key, first_at: now, last_at: now })
      .onConflict((on) =>
        on
          .columns(['company_id', 'asked_key'])
          .doUpdateSet({ times: sql`faq_missing.times + 1`, last_at: now, asked: asked }),
      )
      .execute(),
  )
}

/** Of a search that found nothing: who searches too often is answered all the same. */
export const keepQuietly = (call: Call, text: string): Promise<void> =>
  keepMissing(call, text).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
  })

export const tellMissingCall = implement(tellMissing, async (call) => {
  await keepMissing(call, call.body.text)
  return { success: true as const, message: 'Thank you. We will look for an answer.' }
})
