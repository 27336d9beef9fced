import * as z from 'zod/mini'
import { decent } from '../../shared/decency.ts'
import { say } from '../../shared/messages.ts'
import { DIRECTION_OVERRIDES } from '../../shared/visible.ts'

/** Categories of form templates. The list is fixed. A company's own forms have separate categories. */
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
/** Limits in characters. Encoded as UTF-8, each text must fit into a field of a multipart request. */
const DESCRIPTION_LENGTH = 500
const TITLE_LENGTH = 120

const noControls = (text: string) => !/\p{Cc}/u.test(text) && !DIRECTION_OVERRIDES.test(text)
const LINE = 'Remove line breaks and hidden or unprintable characters.'

/**
 * Fields of a form template other than its file. Residents read them when a company offers the form, so bad words are
 * refused.
 */
export const formFields = z.object({
  title: z
    .string({ error: TITLE_REQUIRED })
    .check(
      z.trim(),
      z.minLength(1, TITLE_REQUIRED),
      z.maxLength(TITLE_LENGTH, { error: () => say`Use no more than ${TITLE_LENGTH} characters.` }),
      z.refine(noControls, { error: LINE }),
      decent,
    ),
  description: z._default(
    z.string().check(
      z.trim(),
      z.maxLength(DESCRIPTION_LENGTH, { error: () => say`Use no more than ${DESCRIPTION_LENGTH} characters.` }),
      z.refine((text) => noControls(text.replaceAll(/\r?\n/g, ' ')), {
        error: 'Remove hidden or unprintable characters.',
      }),
      decent,
    ),
    '',
  ),
  category: z.enum(formCategories, { error: CATEGORY_REQUIRED }),
})

/** Proposes a title for a file, such as 'Dog license application (final)' for 'dog_license-application (final).pdf'. */
export function titleOf(fileName: string): string {
  const plain = fileName
    .replace(/\.[^.]{1,5}$/, '')
    .replaceAll(/[_\s-]+/g, ' ')
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
  return (plain.charAt(0).toUpperCase() + plain.slice(1)).slice(0, TITLE_LENGTH)
}
