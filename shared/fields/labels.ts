import { addressLine } from '../address.ts'
import { formatDate } from '../dates.ts'
import { formatCents } from '../money.ts'
import { formatPhone } from '../phone.ts'
import type { AddressAnswer, Answer, FileAnswer, RowAnswer, SignatureAnswer } from './answer.ts'
import type { Field } from './definition.ts'
import { say } from '../messages.ts'

const plain = (answer: Answer): string => (typeof answer === 'object' ? '' : String(answer))

/** Formats an answer as text for a summary, an email or a report. */
export function answerText(field: Field, answer: Answer): string {
  switch (field.type) {
    case 'choice':
      return field.options.find(({ value }) => value === answer)?.label ?? plain(answer)
    case 'choices':
      return (answer as string[])
        .map((one) => field.options.find(({ value }) => value === one)?.label ?? one)
        .join(', ')
    case 'date':
      return formatDate(plain(answer))
    case 'checkbox':
      return answer === true ? say`Yes` : say`No`
    case 'money':
    case 'payment':
    case 'computed':
      return formatCents(Number(answer))
    case 'number':
      return Number(answer).toLocaleString('en-US', { maximumFractionDigits: 4 })
    case 'address':
      return addressLine(answer as AddressAnswer)
    case 'phone':
      return formatPhone(plain(answer))
    case 'file':
      return (answer as FileAnswer[]).map(({ name }) => name).join(', ')
    case 'signature':
      return 'typed' in (answer as SignatureAnswer) ? (answer as { typed: string }).typed : say`Signed by hand`
    case 'table':
      return (answer as RowAnswer[])
        .map((row) =>
          field.columns
            .flatMap((column) => {
              const cell = row[column.name]
              return cell === undefined ? [] : [`${column.label}: ${answerText(column, cell)}`]
            })
            .join(', '),
        )
        .join('; ')
    case 'text':
    case 'email':
    case 'reading':
      return plain(answer)
  }
}
