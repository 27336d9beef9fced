import * as z from 'zod/mini'
import { FileRefused } from '../../../server/file-refused.ts'
import { canBeStored } from '../../../server/text.ts'
import { type Definition, sketch } from '../../../shared/fields/definition.ts'
import { isTooDeep } from '../../../shared/json-depth.ts'
import { say } from '../../../shared/messages.ts'
import { FILE_FORMAT, FILE_VERSION, MAX_FILE_LENGTH } from '../rules.ts'

/** Record in a JSON file. It has no ids, people or GL accounts. */
export interface RecordFile {
  kind: string
  /** Name of the department. Empty if the record has none. */
  department: string
  settings: Record<string, unknown>
  questions: Definition | null
}

const header = z.object({ format: z.literal(FILE_FORMAT), version: z.int().check(z.minimum(1)) })
const record = z.object({
  kind: z.string().check(z.maxLength(40)),
  department: z._default(z.string().check(z.maxLength(200)), ''),
  settings: z.record(z.string(), z.unknown()),
  questions: z._default(z.nullable(z.unknown()), null),
})

const NO_RECORD = 'This file has no record of Mainstreet. Choose a file that was downloaded as JSON.'

/**
 * Reads a JSON file with a record. Runs in the thread of parsers.
 * @throws FileRefused if the file has no record, or more than a record may have
 */
export function readRecordFile(text: string): RecordFile {
  if (text.length > MAX_FILE_LENGTH)
    throw new FileRefused(say`This file is too large. The limit is 500,000 characters.`)
  if (isTooDeep(text)) throw new FileRefused(say`This file is nested too deeply. Download it as JSON again.`)
  const content = parsed(text)
  const read = header.safeParse(content)
  if (!read.success) throw new FileRefused(NO_RECORD)
  if (read.data.version > FILE_VERSION)
    throw new FileRefused(
      say`This file comes from a newer version of Mainstreet. This portal reads version ${FILE_VERSION}.`,
    )
  const { success, data } = record.safeParse(content)
  if (!success) throw new FileRefused(NO_RECORD)
  if (!canBeStored(content)) throw new FileRefused(say`This file contains a character that cannot be saved.`)
  return { ...data, questions: data.questions === null ? null : questionsIn(data.questions) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw new FileRefused(say`This file is not complete JSON. Download it as JSON again.`)
  }
}

/** Reads the questions. Two questions with the same name would be one question in the answers. */
function questionsIn(sent: unknown): Definition {
  const { success, data, error } = sketch.safeParse(sent)
  if (!success) {
    const [issue] = error.issues
    throw new FileRefused(say`The questions in this file could not be read: ${issue?.message ?? ''}`)
  }
  const names = new Set<string>()
  for (const { id, fields } of data.steps)
    for (const name of [`${id} `, ...fields.map((field) => field.name)]) {
      if (names.has(name))
        throw new FileRefused(say`The file has two questions or steps with the name “${name.trim()}”.`)
      names.add(name)
    }
  return data
}
