import { MAX_PER_KIND, myOngoingItems, openOngoingItem } from '../shared/ongoing-items.ts'
import { type Call, implement, signedIn } from './call.ts'
import { notFound } from './errors.ts'
import { isClosed } from './modules.ts'
import type { OngoingItem, ItemOwner } from './ongoing-items.ts'

export const itemOwnerOf = (call: Call): ItemOwner => ({
  company: call.company,
  person: signedIn(call).personId,
  clock: call.context.clock,
})

const waits = ({ state }: OngoingItem): boolean => state.kind === 'attention'

const listCall = implement(myOngoingItems, (call) =>
  call.reading(async (tx) => {
    const ongoingItems: OngoingItem[] = []
    // Runs the queries in sequence, because a transaction runs one query at a time.
    for (const { kind, open } of call.context.ongoingItems)
      ongoingItems.push(...(await open(tx, itemOwnerOf(call))).slice(0, MAX_PER_KIND).map((one) => ({ ...one, kind })))
    return {
      ongoingItems: ongoingItems
        .filter(({ path }) => path === null || !isClosed(call.company, path))
        .toSorted((a, b) => Number(waits(b)) - Number(waits(a)) || b.at.localeCompare(a.at)),
    }
  }),
)

const openCall = implement(openOngoingItem, (call) =>
  call.inCompany(async (tx) => {
    const source = call.context.ongoingItems.find(({ kind }) => kind === call.body.kind)
    if (!source?.link) throw notFound('This item is not on your list of items in progress. Reload the page.')
    return { path: await source.link(tx, itemOwnerOf(call), call.body.id) }
  }),
)

export const ongoingItemCalls = [listCall, openCall]
