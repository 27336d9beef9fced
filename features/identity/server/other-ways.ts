import type { House } from '../../../server/house.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { Factors } from '../../factors/server/store.ts'
import { linksOf, unlink } from '../../sso/server/linked.ts'
import type { OtherWay } from '../contract.ts'
import type { Account, Door } from '../../../server/accounts/doors.ts'

type Way = Omit<OtherWay, 'since' | 'stays'> & { since: Date; end: () => Promise<unknown> }

/** What else signs somebody in, beside their password. */
async function otherWays(tx: Tx, house: House, door: Door, id: number): Promise<Way[]> {
  const factors = new Factors(house, door)
  const app = await factors.findApp(tx, id)
  const ways: Way[] = app ? [{ kind: 'app', name: '', since: app.created_at, end: () => factors.dropApp(tx, id) }] : []
  for (const passkey of await factors.passkeysOf(tx, id))
    ways.push({
      ...{ kind: 'passkey', name: passkey.name, since: passkey.created_at },
      end: () => factors.dropPasskeys(tx, id, passkey.id),
    })
  const { company } = door
  if (company)
    for (const linked of await linksOf(tx, company.id, id))
      ways.push({
        ...{ kind: 'sso', name: linked.label, since: linked.linked_at },
        end: () => unlink(tx, company.id, linked),
      })
  return ways
}

/**
 * What a new password ends: each way in that is newer than the last proof that the mailbox is its owner's (somebody else
 * may have made it), a change of the email that waits for its link, and whatever was begun and not finished.
 * `shown`: the way that the caller has just used, which stays.
 */
export async function endWhatIsUnproven(
  tx: Tx,
  house: House,
  door: Door,
  account: Account,
  { shown }: { shown?: OtherWay['kind'] } = {},
): Promise<{ others: OtherWay[]; changeEnded: boolean }> {
  const others: OtherWay[] = []
  for (const { end, since, ...way } of await otherWays(tx, house, door, account.id)) {
    const stays = way.kind === shown || (account.proven_at !== null && since <= account.proven_at)
    if (!stays) await end()
    others.push({ ...way, since: since.toISOString(), stays })
  }
  await new Factors(house, door).voidSteps(tx, account.id)
  await door.voidLinks(tx, account.id, ['reset_password'])
  return { others, changeEnded: (await door.voidLinks(tx, account.id, ['change_email'])) > 0 }
}
