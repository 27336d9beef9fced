/** What somebody means who answers a text with one word, as the telephone companies have it. */
const words = {
  stop: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'],
  start: ['START', 'UNSTOP', 'YES'],
  help: ['HELP', 'INFO'],
} as const

export type Meaning = keyof typeof words | 'other'

/** `told`: what Twilio found out by itself, where it did. */
export function meaningOf(body: string, told: string | null): Meaning {
  const word = (told ?? body)
    .replaceAll(/[^\p{L}]+/gu, ' ')
    .trim()
    .toUpperCase()
  const found = Object.entries(words).find(([, list]) => (list as readonly string[]).includes(word))
  return (found?.[0] as Meaning | undefined) ?? 'other'
}
