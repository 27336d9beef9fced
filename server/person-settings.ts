/** Settings of the screens that members of staff chose (`shared/person-settings.ts`). */
import { MAX_SETTINGS, personSettings } from '../shared/person-settings.ts'
import { say } from '../shared/messages.ts'
import { implement } from './call.ts'
import { rejected } from './errors.ts'
import { asOwner, lockOwn, type Owner } from './owner.ts'
import type { Tx } from './tenancy.ts'

/** First key of the advisory lock for settings. */
const SETTINGS_LOCK = 33_002

const settingsOf = (tx: Tx, { company_id, person_id }: Owner) =>
  tx.selectFrom('person_setting').where('company_id', '=', company_id).where('person_id', '=', person_id)

const save = implement(personSettings.save, (call) =>
  asOwner(call, async (tx, owner) => {
    const { name, value } = call.body
    await lockOwn(tx, SETTINGS_LOCK, owner)
    const others = await settingsOf(tx, owner).select('name').where('name', '!=', name).execute()
    if (others.length >= MAX_SETTINGS)
      throw rejected(say`You already have ${MAX_SETTINGS} settings. This browser still uses the new one.`)
    const row = { value: JSON.stringify(value), changed_at: call.context.clock.now() }
    await tx
      .insertInto('person_setting')
      .values({ ...owner, name, ...row })
      .onConflict((conflict) => conflict.columns(['company_id', 'person_id', 'name']).doUpdateSet(row))
      .execute()
    return { name }
  }),
)

const list = implement(personSettings.list, (call) =>
  asOwner(call, async (tx, owner) => {
    const rows = await settingsOf(tx, owner).select(['name', 'value']).execute()
    return { settings: Object.fromEntries(rows.map(({ name, value }) => [name, value])) }
  }),
)

export const calls = [list, save]
