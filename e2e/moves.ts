import { readFile } from 'node:fs/promises'
import { moveCase, moveChoices, sendMove } from '../features/moving/contract.ts'
import { addDays } from '../shared/dates.ts'
import { attachOn, callOn } from './calls.ts'
import { unique } from './fixtures.ts'
import { emailTo, linkIn } from './mail.ts'

/** Sends a move request. Returns the path of its page for the requester or for the owner. */
export async function movePage(linkKind: 'request' | 'owner'): Promise<string> {
  const mover = `mover-${unique().toLowerCase()}`
  const { first, closed } = await callOn('maplegrove', moveChoices, {})
  let entersOn = first
  while (closed.includes(entersOn)) entersOn = addDays(entersOn, 1)
  const none = { text: '', addressId: null, lat: null, lon: null, metres: null }
  const lease = await readFile(new URL('../server/acroform/fixtures/qpdf-from-odt.pdf', import.meta.url))
  const files = [await attachOn('maplegrove', moveCase.attach, 'lease.pdf', lease)]
  const sent = await callOn('maplegrove', sendMove, {
    ...{ kind: 1, leavesBy: 'address', accountId: null, leaves: none, leavesOn: '', forwarding: '' },
    ...{ enters: { ...none, text: `${mover} Orchard Lane` }, entersOn },
    ...{ ownerName: 'Olga Owner', ownerEmail: `${mover}@owner.example` },
    ...{ name: 'Ida Moss', email: `${mover}@example.org`, phone: '', note: '', files },
  })
  if (linkKind === 'request') return `/relocate/request/${sent.token}`
  return linkIn(await emailTo(`${mover}@owner.example`, /^Do you agree/))
}
