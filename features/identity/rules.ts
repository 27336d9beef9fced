/** Passwords as specification 5.6 has them; whether one was in a data leak is asked elsewhere. */
const SPECIAL = /[!-/:-@[-`{-~]/

export const PASSWORD_LEAST = 8
export const PASSWORD_MOST = 20

/** One sentence for each rule that a new password breaks; none where it may be taken. */
export function passwordProblems(password: string): string[] {
  const length = [...password].length
  const rules: [broken: boolean, sentence: string][] = [
    [length < PASSWORD_LEAST || length > PASSWORD_MOST, `Use ${PASSWORD_LEAST} to ${PASSWORD_MOST} characters.`],
    [!SPECIAL.test(password), 'Use at least one special character, such as ! # or -.'],
    [!/\d/.test(password), 'Use at least one number.'],
    [!/\p{Lu}/u.test(password), 'Use at least one capital letter.'],
  ]
  return rules.filter(([broken]) => broken).map(([, sentence]) => sentence)
}
