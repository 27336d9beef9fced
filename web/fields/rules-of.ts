import type { Answers } from '../../shared/fields/answer.ts'
import { answersOf } from '../../shared/fields/answers.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import type { Rules } from '../ui/form.ts'

/**
 * Converts a definition to form rules.
 * @param only the names of the fields with relevant errors: those of the current step
 */
export const rulesOf = (definition: Definition, today: string, only?: ReadonlySet<string>): Rules<Answers> => ({
  safeParseAsync: async (values) => {
    const { answers, errors } = answersOf(definition, values, today)
    const issues = Object.entries(errors)
      .map(([path, message]) => ({ path: path.split('.'), message }))
      .filter(({ path }) => !only || only.has(path[0] ?? ''))
    return issues.length > 0 ? { success: false, error: { issues } } : { success: true, data: answers }
  },
})
