import type { Answers, FileAnswer, SignatureAnswer } from '../../shared/fields/answer.ts'
import { answersOf } from '../../shared/fields/answers.ts'
import type { Definition, FieldOf } from '../../shared/fields/definition.ts'
import { namesSigner, notTheSigner } from '../../shared/fields/signature.ts'
import { allFields } from '../../shared/fields/walk.ts'
import { plural, say } from '../../shared/messages.ts'
import type { Call } from '../call.ts'
import { notAllowed, rejected } from '../errors.ts'
import { NOT_FOR_OTHERS } from '../impersonation.ts'

/** Kind and size of an uploaded file in the attachment store. */
export interface StoredAnswerFile {
  kind: 'image' | 'document'
  bytes: number
}

/** Finds a file of the respondent. Null if it does not exist or belongs to another person. */
export type FindFile = (file: FileAnswer) => Promise<StoredAnswerFile | null>

/** Person who signs the answers. */
export interface Signer {
  /**
   * Names of the signer. A typed signature must contain at least one word of these names. Empty if another person may
   * sign, such as a tester or a partner.
   */
  names: readonly string[]
  /** True if staff impersonate the signer. */
  isImpersonated: boolean
}

/** Returns the signer of the answers. The signer's names are the account name and the names entered in the form. */
export const signerOf = ({ session }: Pick<Call, 'session'>, ...entered: readonly string[]): Signer => ({
  names: [session ? `${session.firstName} ${session.lastName}` : '', ...entered].filter((name) => name.trim() !== ''),
  isImpersonated: (session?.impersonation ?? null) !== null,
})

/** Returns a signer without a check of the typed name: the signed-in person, or someone who signs for that person. */
export const anySigner = (call: Pick<Call, 'session'>): Signer => ({ ...signerOf(call), names: [] })

const MEGABYTE = 1_000_000

/**
 * Checks the answers by the form's rules. Returns them with computed amounts and without missing files.
 * @param signer null if staff enter a signed paper form or another system sends the answers
 * @throws 422 with a message for each field
 * @throws 403 if staff sign as the person whom they impersonate
 */
export async function acceptAnswers(
  definition: Definition,
  sent: unknown,
  { today, findFile, signer }: { today: string; findFile: FindFile; signer: Signer | null },
): Promise<Answers> {
  const { answers, errors } = answersOf(definition, sent, today)
  for (const field of allFields(definition)) {
    if (field.type !== 'file' || !(field.name in answers)) continue
    const message = await fileFault(field, answers[field.name] as FileAnswer[], findFile)
    if (message !== null) errors[field.name] = message
  }
  if (signer)
    for (const { name, type } of allFields(definition)) {
      if (type !== 'signature' || !(name in answers)) continue
      if (signer.isImpersonated) throw notAllowed(NOT_FOR_OTHERS)
      const signature = answers[name] as SignatureAnswer
      const [own] = signer.names
      if (own === undefined || !('typed' in signature) || namesSigner(signature.typed, signer.names.join(' '))) continue
      errors[name] = notTheSigner(own)
    }
  const invalid = namesOfInvalid(definition, errors)
  if (invalid.length > 0)
    throw rejected(
      say`${plural(invalid.length, 'One answer needs', '# answers need')} correction: ${invalid.join(', ')}.`,
      errors,
    )
  return answers
}

/**
 * Returns the quoted labels of the fields with errors. For an error in a table cell, returns the label of the table.
 */
function namesOfInvalid(definition: Definition, errors: Readonly<Record<string, string>>): string[] {
  const names = new Set(Object.keys(errors).map((path) => path.split('.')[0] ?? path))
  const existing = allFields(definition).filter(({ name }) => names.delete(name))
  return [...existing.map(({ label }) => label), ...names].map((label) => say`“${label}”`)
}

async function fileFault(
  { accept, maxMegabytes }: FieldOf<'file'>,
  files: readonly FileAnswer[],
  findFile: FindFile,
): Promise<string | null> {
  for (const file of files) {
    const stored = await findFile(file)
    if (!stored) return say`“${file.name}” is no longer available. Remove it and add it again.`
    if (accept === 'images' && stored.kind !== 'image') return say`“${file.name}” is not an image. Add a JPEG or PNG.`
    if (stored.bytes > maxMegabytes * MEGABYTE)
      return say`“${file.name}” is larger than ${maxMegabytes} MB. Add a smaller file.`
  }
  return null
}
