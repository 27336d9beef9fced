import { isDay, isTime } from './dates.ts'
import type { FileHeader } from './layouts.ts'
import { type Problem, type ProblemCode, problem } from './problems.ts'
import { fieldPositionOf } from './read-records.ts'
import { isRoutingNumber } from './routing.ts'

/** True for a blank or a zero, followed by a routing number. */
const isDestination = (text: string): boolean => /^[ 0]/.test(text) && isRoutingNumber(text.slice(1))

/** True for ten digits that the bank assigned to its customer, or for a blank and nine digits. */
const isOrigin = (text: string): boolean => /^[ \d]\d{9}$/.test(text) && Number(text) > 0

export function checkFileHeader(header: FileHeader): Problem[] {
  const { fields } = header
  const rules: [ProblemCode, keyof typeof fields, boolean, string][] = [
    ['priority-code', 'priorityCode', fields.priorityCode === '01', 'it is 01.'],
    [
      'immediate-destination',
      'immediateDestination',
      isDestination(fields.immediateDestination),
      'it is a blank and a routing number whose check digit is right.',
    ],
    ['immediate-origin', 'immediateOrigin', isOrigin(fields.immediateOrigin), 'it is ten digits, or a blank and nine.'],
    ['creation-date', 'creationDate', isDay(fields.creationDate), 'it is a day, YYMMDD.'],
    [
      'creation-time',
      'creationTime',
      fields.creationTime.trim() === '' || isTime(fields.creationTime),
      'it is a time, HHMM, or blank.',
    ],
    [
      'file-id-modifier',
      'fileIdModifier',
      /^[A-Z\d]$/.test(fields.fileIdModifier),
      'it is a capital letter or a digit.',
    ],
    ['record-size', 'recordSize', fields.recordSize === '094', 'it is 094.'],
    ['blocking-factor', 'blockingFactor', fields.blockingFactor === '10', 'it is 10.'],
    ['format-code', 'formatCode', fields.formatCode === '1', 'it is 1.'],
  ]
  return rules.flatMap(([code, field, holds, rule]) =>
    holds ? [] : [problem(code, fieldPositionOf(header, 1, field), `"${fields[field]}" is wrong: ${rule}`)],
  )
}
