import type { Random } from '../../database/random.ts'
import type { DemoCategory } from './demo-texts.ts'

const HOUR = 3_600_000

interface DemoHistoryRow {
  event: string
  from: string
  to: string
  at: Date
  staff: boolean
  reason?: string
}
interface DemoMessage {
  at: Date
  staff: boolean
  text: string
}
type Status = 0 | 1 | 2 | 3 | 4 | 5

interface DemoScenario {
  status: Status
  steps: DemoHistoryRow[]
  messages: DemoMessage[]
  feedback: { at: Date; is_fixed: 0 | 1 } | null
}

/** Creates the history of a request, from its arrival at `at` to now. */
export function scenarioOf(
  { reports: _texts, done, days }: DemoCategory,
  at: Date,
  now: Date,
  random: Random,
): DemoScenario {
  const scenario: DemoScenario = { status: 0, steps: [], messages: [], feedback: null }
  const after = (hours: number) => new Date((scenario.steps.at(-1)?.at ?? at).getTime() + hours * HOUR)
  /** Adds a transition, but not if its time would be in the future. */
  const step = (event: string, to: Status, hours: number, staff: boolean, reason?: string): boolean => {
    const when = after(hours)
    if (when >= now) return false
    scenario.steps.push({
      event,
      from: String(scenario.status),
      to: String(to),
      at: when,
      staff,
      ...(reason && { reason }),
    })
    scenario.status = to
    return true
  }
  const kind = random.weighted({ usual: 90, invalid: 4, cancelled: 4, stuck: 2 })
  if (kind === 'cancelled') step('cancel', 5, random.int(1, 20), false)
  else if (kind === 'invalid') step('invalidate', 4, random.int(3, 40), true, 'Not a town road')
  else if (step('start', 1, random.int(2, 40), true) && kind === 'usual') {
    if (!step('complete', 2, random.int(4, days * 30), true)) return scenario
    scenario.messages.push({ at: after(0), staff: true, text: random.pick(done) })
    if (random.chance(0.06) && step('reopen', 3, random.int(5, 90), false)) {
      scenario.messages.push({ at: after(0), staff: false, text: 'It is not fixed. Please look again.' })
      scenario.feedback = { at: after(0), is_fixed: 0 }
      if (step('start', 1, random.int(3, 30), true)) step('complete', 2, random.int(10, 60), true)
    } else if (random.chance(0.3) && after(30) < now) scenario.feedback = { at: after(30), is_fixed: 1 }
  }
  return scenario
}
