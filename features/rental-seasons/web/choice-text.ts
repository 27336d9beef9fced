import { say } from '../../../shared/messages.ts'
import { formatShortDate, clockText } from '../../../shared/dates.ts'
import { type RepeatRule, repeatText } from '../../../shared/repeats.ts'

interface ChoicePattern {
  repeats: RepeatRule
  startsOn: string
  from: string
  until: string
}

const weekdays = () => [
  say`Sundays`,
  say`Mondays`,
  say`Tuesdays`,
  say`Wednesdays`,
  say`Thursdays`,
  say`Fridays`,
  say`Saturdays`,
]

/** Formats a choice as `Every week, Mondays and Wednesdays, 6:00 PM – 8:00 PM`, with its first and last day. */
export function choiceText({ repeats, startsOn, from, until }: ChoicePattern): { when: string; days: string } {
  const names = repeats.unit === 'week' ? repeats.weekdays.toSorted((a, b) => a - b).map((day) => weekdays()[day]) : []
  const every =
    repeats.unit === 'week' && repeats.every === 1 && names.length > 0 ? '' : repeatText({ ...repeats, until: '' })
  const time = `${clockText(from)} – ${clockText(until)}`
  return {
    when: [every, names.join(', '), time].filter(Boolean).join(', '),
    days: `${formatShortDate(startsOn)} – ${repeats.until ? formatShortDate(repeats.until) : ''}`,
  }
}
