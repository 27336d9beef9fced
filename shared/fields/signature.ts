import type { SignatureAnswer } from './answer.ts'
import { say } from '../messages.ts'

/** Maximum coordinate of a drawn signature, in both directions. */
export const SIGNATURE_SIDE = 1000
const MAX_POINTS = 4000
const MAX_NAME_LENGTH = 100

type SignatureResult = { answer?: SignatureAnswer; errors?: Record<string, string> }
const invalid = (message: string): SignatureResult => ({ errors: { '': message } })

const isPoint = (point: unknown): point is [number, number] =>
  Array.isArray(point) &&
  point.length === 2 &&
  point.every((at) => Number.isInteger(at) && at >= 0 && at <= SIGNATURE_SIDE)

/** Reads a drawn signature or a typed name. Both are equally valid. */
export function readSignature(raw: unknown): SignatureResult {
  const { drawn, typed } = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>
  if (Array.isArray(drawn)) {
    if (drawn.length === 0) return {}
    const count = drawn.reduce<number>((sum, line) => sum + (Array.isArray(line) ? line.length : 0), 0)
    if (count > MAX_POINTS)
      return invalid(say`This signature is too detailed to save. Clear it and sign again, or type your name.`)
    const fits = drawn.every((line) => Array.isArray(line) && line.length > 0 && line.every(isPoint))
    return fits
      ? { answer: { drawn: drawn as [number, number][][] } }
      : invalid(say`Clear the signature and sign again.`)
  }
  if (typeof typed !== 'string') return invalid(say`Sign by hand, or type your name.`)
  const name = typed
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  if (name === '') return {}
  if (name.length > MAX_NAME_LENGTH) return invalid(say`Use up to ${MAX_NAME_LENGTH} characters.`)
  return /\p{L}/u.test(name) ? { answer: { typed: name } } : invalid(say`Type your name. It must contain letters.`)
}

const nameParts = (name: string): string[] =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/**
 * True if a typed signature contains one of the words in the signer's name. Ignores case and accents. Initials do not
 * count if the name has longer words.
 */
export function namesSigner(typed: string, signer: string): boolean {
  const own = nameParts(signer)
  const long = own.filter((word) => word.length > 1)
  const expected = new Set(long.length > 0 ? long : own)
  return expected.size === 0 || nameParts(typed).some((word) => expected.has(word))
}

export const notTheSigner = (signer: string): string => say`Sign with your own name: ${signer}.`
