import { MAX_PER_KIND, myMatters, openMatter } from '../shared/ongoing-items.ts'
import { type Call, implement, signedIn } from './call.ts'
import { notFound } from './errors.ts'
import type { OngoingItem, ItemOwner } from './ongoing-items.ts'

export const whoseOf = (call: Call): ItemOwner => ({
  company: call.company,
  person: signedIn(call).personId,
  clock: call.context.clock,
})

const waits = ({ state }: OngoingItem): boolean => state.kind === 'attention'

const listCall = implement(myMatters, (call) =>
  call.reading(async (tx) => {
    const matters: OngoingItem[] = []
    // One after the other: a transaction answers one question at a time.
    for (const { kind, open } of call.context.matters)
      matters.push(...(await open(tx, whoseOf(call))).slice(0, MAX_PER_KIND).map((one) => ({ ...one, kind })))
    return {
      matters: matters.toSorted((a, b) => Number(waits(b)) - Number(waits(a)) || b.at.localeCompare(a.at)),
    }
  }),
)

const openCall = implement(openMatter, (call) =>
  call.inCompany(async (tx) => {
    const source = call.context.matters.find(({ kind }) => kind === call.body.kind)
    if (!source?.link) throw notFound('This was not found among what you have under way.')
    return { path: await source.link(tx, whoseOf(call), call.body.id) }
  }),
)

export const matterCalls = [listCall, openCall]
