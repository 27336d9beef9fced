import * as z from 'zod/mini'
import { say } from './words.ts'

/** Passwords as specification 5.6 has them, and as NIST 800-63B does; whether one was in a data leak the server knows. */
const SPECIAL = /[!-/:-@[-`{-~]/

export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 20
const NIST_MIN_LENGTH = 15
const NIST_MAX_LENGTH = 64

/** Which rules a town's new passwords follow. */
export type PasswordRules = 'standard' | 'nist'

interface PasswordCheck {
  /** What to do, as long as it is not done. */
  sentence: string
  kept: boolean
}

/** Each rule for a new password, and whether this one keeps it. Length counts characters, not bytes. */
export function passwordChecks(password: string, rules: PasswordRules = 'standard'): PasswordCheck[] {
  const length = [...password].length
  const [least, most] =
    rules === 'nist' ? [NIST_MIN_LENGTH, NIST_MAX_LENGTH] : [PASSWORD_MIN_LENGTH, PASSWORD_MAX_LENGTH]
  const long = { sentence: say`Use ${least} to ${most} characters.`, kept: length >= least && length <= most }
  if (rules === 'nist') return [long]
  return [
    long,
    { sentence: say`Use at least one special character, such as ! # or -.`, kept: SPECIAL.test(password) },
    { sentence: say`Use at least one number.`, kept: /\d/.test(password) },
    { sentence: say`Use at least one capital letter.`, kept: /\p{Lu}/u.test(password) },
  ]
}

/** One sentence for each rule that a new password breaks; none where it may be taken. */
export const passwordProblems = (password: string, rules: PasswordRules = 'standard'): string[] =>
  passwordChecks(password, rules)
    .filter(({ kept }) => !kept)
    .map(({ sentence }) => sentence)

export const BREACHED = 'This password is known from a data leak. Choose another one.'

/** A new password in a form, with a sentence for each rule that it breaks. */
export const newPasswordField = (rules: PasswordRules) =>
  z.string().check((ctx) => {
    const problems = passwordProblems(ctx.value, rules)
    if (problems.length > 0) ctx.issues.push({ code: 'custom', input: ctx.value, message: problems.join(' ') })
  })
