import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { Refusal } from '../../../server/errors.ts'
import { countAttempt, defineAddressLimit } from '../../../server/limits.ts'
import { reportMissing } from '../contract.ts'

/** Rate limit that keeps one IP address from flooding the staff's list of unsuccessful searches. */
const missingByAddress = defineAddressLimit('faq-missing', { max: 20, after: 'pause' })

const LEFT_OUT = '…'
/** Removes email addresses and long numbers. They are personal data and do not help the author of an answer. */
export const withoutPersons = (text: string): string =>
  text.replaceAll(/\S+@\S+/g, LEFT_OUT).replaceAll(/\d(?:[\s().-]?\d){4,}/g, LEFT_OUT)

const keyOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Counts an unsuccessful search without any link to the person who searched. */
async function storeMissing(call: Call, text: string): Promise<void> {
  const cleanText = withoutPersons(text).trim()
  const key = keyOf(cleanText)
  if (key.length < 2) return
  await countAttempt(call.context, [missingByAddress(call.address, call.company.id)])
  const now = call.context.clock.now()
  await call.inCompany((tx) =>
    tx
      .insertInto('faq_missing')
      .values({ company_id: call.company.id, query: cleanText, query_key: key, first_at: now, last_at: now })
      .onConflict((on) =>
        on
          .columns(['company_id', 'query_key'])
          .doUpdateSet({ times: sql`faq_missing.times + 1`, last_at: now, query: cleanText }),
      )
      .execute(),
  )
}

/**
 * Records an unsuccessful search. If the rate limit for these records is reached, the search still returns its
 * response.
 */
export const storeQuietly = (call: Call, text: string): Promise<void> =>
  storeMissing(call, text).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
  })

export const reportMissingCall = implement(reportMissing, async (call) => {
  await storeMissing(call, call.body.text)
  return { success: true as const, message: 'Thank you. We will look for an answer.' }
})
