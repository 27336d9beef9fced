import type { AppContext } from '../../../server/app-context.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { Factors } from '../../factors/api.ts'
import { linksOf, unlink } from '../../sso/api.ts'
import type { SignInMethod } from '../contract.ts'
import type { Account, AccountRealm } from '../../../server/accounts/account-realms.ts'

type RemovableMethod = Omit<SignInMethod, 'since' | 'stays'> & { since: Date; end: () => Promise<unknown> }

/** Lists the sign-in methods of a person, except the password. */
async function otherSignInMethods(
  tx: Tx,
  context: AppContext,
  realm: AccountRealm,
  id: number,
): Promise<RemovableMethod[]> {
  const factors = new Factors(context, realm)
  const app = await factors.findApp(tx, id)
  const methods: RemovableMethod[] = app
    ? [{ kind: 'app', name: '', since: app.created_at, end: () => factors.dropApp(tx, id) }]
    : []
  for (const passkey of await factors.passkeysOf(tx, id))
    methods.push({
      ...{ kind: 'passkey', name: passkey.name, since: passkey.created_at },
      end: () => factors.dropPasskeys(tx, id, passkey.id),
    })
  const { company } = realm
  if (company)
    for (const linked of await linksOf(tx, company.id, id))
      methods.push({
        ...{ kind: 'sso', name: linked.label, since: linked.linked_at },
        end: () => unlink(tx, company.id, linked),
      })
  return methods
}

/**
 * Removes changes that an intruder may have made before the password was changed. These are sign-in methods added since
 * the person last proved access to the mailbox, a pending email change, and unfinished setups. The method that the
 * caller has just used (`usedMethod`) stays.
 */
export async function endUnprovenMethods(
  tx: Tx,
  context: AppContext,
  realm: AccountRealm,
  account: Account,
  { usedMethod }: { usedMethod?: SignInMethod['kind'] } = {},
): Promise<{ others: SignInMethod[]; changeEnded: boolean }> {
  const others: SignInMethod[] = []
  for (const { end, since, ...method } of await otherSignInMethods(tx, context, realm, account.id)) {
    const stays = method.kind === usedMethod || (account.proven_at !== null && since <= account.proven_at)
    if (!stays) await end()
    others.push({ ...method, since: since.toISOString(), stays })
  }
  await new Factors(context, realm).voidSteps(tx, account.id)
  await realm.voidLinks(tx, account.id, ['reset_password'])
  return { others, changeEnded: (await realm.voidLinks(tx, account.id, ['change_email'])) > 0 }
}
