import type { RequestInputOf } from '../../../shared/endpoint.ts'
import { noLocation } from '../../../shared/places.ts'
import type { sendRequest } from '../contract.ts'
import { ANSWER } from '../rules.ts'

/** Returns the body of a report that a browser without JavaScript sent. */
export function bodyOfReport(entries: Readonly<Record<string, string>>): RequestInputOf<typeof sendRequest> {
  const { categoryId = '', version = '', location = '', description = '', name = '', email = '', phone = '' } = entries
  return {
    ...{ categoryId, description, name, email, phone, leaveEmpty: entries['leaveEmpty'] ?? '', files: [] },
    version: Number(version),
    location: { ...noLocation, text: location },
    answers: answersIn(entries),
  }
}

/**
 * Returns the answers to the questions of the category. The name of an entry is `answers.name` for a text,
 * `answers.name:` for a check box, and `answers.name:option` for each chosen option of a list.
 */
function answersIn(entries: Readonly<Record<string, string>>): Record<string, unknown> {
  const answers = new Map<string, string | true | string[]>()
  for (const [entry, value] of Object.entries(entries)) {
    if (!entry.startsWith(ANSWER)) continue
    const [name = '', option] = entry.slice(ANSWER.length).split(/:(.*)/s)
    const chosen = answers.get(name)
    if (option === undefined) answers.set(name, value)
    else if (option === '') answers.set(name, true)
    else answers.set(name, [...(Array.isArray(chosen) ? chosen : []), option])
  }
  return Object.fromEntries(answers)
}
