import * as z from 'zod/mini'
import { decent } from '../../shared/decency.ts'
import { say } from '../../shared/words.ts'
import { DIRECTION_OVERRIDES } from '../../shared/visible.ts'

/** What a form of the library is about. The list is fixed; a town's own groups come with its own forms. */
export const formCategories = [
  'Licenses',
  'Permits',
  'Utilities',
  'Taxes',
  'Public Works',
  'Parks and Recreation',
  'Public Records',
  'Elections',
  'Other',
] as const
export type FormCategory = (typeof formCategories)[number]

export const TITLE_REQUIRED = 'Enter a title.'
export const CATEGORY_REQUIRED = 'Choose a category.'
/** As UTF-8 this is what a field beside a file may hold. */
const DESCRIPTION_LENGTH = 500
const TITLE_LENGTH = 120

const noControls = (text: string) => !/\p{Cc}/u.test(text) && !DIRECTION_OVERRIDES.test(text)
const LINE = 'Leave out line breaks and control characters.'

/** What is told of a form, beside its file. Residents read it once a town offers the form, so its words are decent. */
export const formFields = z.object({
  title: z
    .string({ error: TITLE_REQUIRED })
    .check(
      z.trim(),
      z.minLength(1, TITLE_REQUIRED),
      z.maxLength(TITLE_LENGTH, { error: () => say`Please use at most ${TITLE_LENGTH} characters.` }),
      z.refine(noControls, { error: LINE }),
      decent,
    ),
  description: z._default(
    z.string().check(
      z.trim(),
      z.maxLength(DESCRIPTION_LENGTH, { error: () => say`Please use at most ${DESCRIPTION_LENGTH} characters.` }),
      z.refine((text) => noControls(text.replaceAll(/\r?\n/g, ' ')), { error: 'Leave out control characters.' }),
      decent,
    ),
    '',
  ),
  category: z.enum(formCategories, { error: CATEGORY_REQUIRED }),
})

/** 'dog_license-application (final).pdf' is proposed as 'Dog license application (final)'. */
export function titleOf(fileName: string): string {
  const plain = fileName
    .replace(/\.[^.]{1,5}$/, '')
    .replaceAll(/[_\s-]+/g, ' ')
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
  return (plain.charAt(0).toUpperCase() + plain.slice(1)).slice(0, TITLE_LENGTH)
}
