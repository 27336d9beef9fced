import { describe, expect, it } from 'vitest'
import '../portal/server.ts'
import { declaredMachines, isFinal } from '../shared/machine.ts'

/**
 * Events that can't be undone must ask for confirmation, either with a reason or with a dialog that states the effect.
 */

/** Events that can't be undone but ask for no confirmation, each with the reason. */
const NEEDS_NO_DIALOG: Readonly<Record<string, string>> = {
  'scheduled_item.start': 'daily work: what starts is only noted, and nobody is told',
  'checklist_item.complete': 'the list of the onboarding: an item may still fail its review',
  'checklist_item.pass': 'the list of the onboarding: the municipality goes live by another step',
  'rental_reservation.check_in': 'the renter stands at the counter, and the inspection follows',
  'rental_certificate.accept': 'staff can ask for another certificate after that',
  'move_request.complete': 'its button opens a form with the readings and the effect',
}

const finals = [...declaredMachines.values()].flatMap((machine) =>
  machine.buttons.filter((event) => isFinal(machine, event)).map((event) => ({ machine, event })),
)

describe('an event that cannot be undone', () => {
  it.each(finals.map(({ machine, event }) => [`${machine.name}.${event}`, machine.steps[event]] as const))(
    'asks before %s',
    (name, step) => {
      const confirms = step?.reason === true || Boolean(step?.confirm)
      expect(confirms || name in NEEDS_NO_DIALOG).toBe(true)
      expect(confirms && name in NEEDS_NO_DIALOG, 'an exception that is none any more').toBe(false)
    },
  )

  it('is searched for in all machines', () => {
    expect(finals.length).toBeGreaterThan(30)
    for (const name of Object.keys(NEEDS_NO_DIALOG))
      expect(finals.some(({ machine, event }) => `${machine.name}.${event}` === name)).toBe(true)
  })
})
