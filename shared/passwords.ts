import * as z from 'zod/mini'
import { say } from './messages.ts'

/**
 * Special characters that count for the password rules of spec 5.6 and NIST 800-63B. Only the server can check for
 * leaked passwords.
 */
const SPECIAL = /[!-/:-@[-`{-~]/

export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 20
const NIST_MIN_LENGTH = 15
const NIST_MAX_LENGTH = 64

export type PasswordRules = 'standard' | 'nist'

interface PasswordCheck {
  /** Instruction that the form shows until the password meets the rule. */
  message: string
  isMet: boolean
}

/** Checks a new password against each rule. The length is in characters, not bytes. */
export function passwordChecks(password: string, rules: PasswordRules = 'standard'): PasswordCheck[] {
  const length = [...password].length
  const [min, max] = rules === 'nist' ? [NIST_MIN_LENGTH, NIST_MAX_LENGTH] : [PASSWORD_MIN_LENGTH, PASSWORD_MAX_LENGTH]
  const long = { message: say`Use ${min} to ${max} characters.`, isMet: length >= min && length <= max }
  if (rules === 'nist') return [long]
  return [
    long,
    { message: say`Use at least one special character, such as ! # or -.`, isMet: SPECIAL.test(password) },
    { message: say`Use at least one number.`, isMet: /\d/.test(password) },
    { message: say`Use at least one capital letter.`, isMet: /\p{Lu}/u.test(password) },
  ]
}

/** Returns one message for each rule that a new password breaks. Empty if the password is acceptable. */
export const passwordProblems = (password: string, rules: PasswordRules = 'standard'): string[] =>
  passwordChecks(password, rules)
    .filter(({ isMet }) => !isMet)
    .map(({ message }) => message)

export const BREACHED = 'This password has appeared in a data breach. Choose another one.'

/** Form field for a new password, with an error for each broken rule. */
export const newPasswordField = (rules: PasswordRules) =>
  z.string().check((ctx) => {
    const problems = passwordProblems(ctx.value, rules)
    if (problems.length > 0) ctx.issues.push({ code: 'custom', input: ctx.value, message: problems.join(' ') })
  })
