import { malformed } from './errors.ts'

/** A place in a sorted list: what the row there is sorted by, and its id. `back` asks for the rows before it. */
export interface Place {
  key: string | number
  id: number
  back?: true | undefined
}

export const cursorOf = ({ key, id, back }: Place): string =>
  Buffer.from(JSON.stringify([key, id, back ? 1 : 0])).toString('base64url')

/** @throws 400 where the text is no cursor of ours */
export function readCursor(text: string | undefined): Place | null {
  if (!text) return null
  try {
    const [key, id, back] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    if ((typeof key === 'string' || typeof key === 'number') && Number.isSafeInteger(id))
      return { key, id: id as number, back: back === 1 || undefined }
  } catch {
    // Said below.
  }
  throw malformed('This page of the list is not known. Start again at its first page.')
}
