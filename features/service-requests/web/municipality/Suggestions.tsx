import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { feetOf } from '../../../../shared/units.ts'
import { shortInstant } from '../../../../web/clock.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Text } from '../../../../web/ui/Text.tsx'

interface SuggestionsProps<Record> {
  label: string
  records: readonly Record[]
  /** Renders the text below number and title. */
  details: (record: Record) => ReactNode
  onChoose: (number: string) => void
}

/** Records that a dialog suggests. The button of a record puts its number into the field below the list. */
export function Suggestions<Record extends { id: number; number: string; title: string }>({
  label,
  records,
  details,
  onChoose,
}: SuggestionsProps<Record>) {
  const { t } = useLingui()
  return (
    <ul className="flex flex-col gap-2" aria-label={label}>
      {records.map((record) => (
        <li key={record.id} className="flex items-start justify-between gap-3 border-line border-b pb-2 text-table">
          <span className="min-w-0 wrap-anywhere">
            <strong>{record.number}</strong> <Text>{record.title}</Text>
            <Text>{details(record)}</Text>
          </span>
          <Button size="small" aria-label={t`Choose ${record.number}`} onClick={() => onChoose(record.number)}>
            <Trans>Choose</Trans>
          </Button>
        </li>
      ))}
    </ul>
  )
}

interface RequestDetailsProps {
  at: string
  /** Distance in metres. Null if a location is unknown. */
  metres: number | null
  followers: number
}

/** Time, distance and number of followers of a request. */
export const RequestDetails = ({ at, metres, followers }: RequestDetailsProps) => (
  <>
    <Text>{shortInstant(at)}</Text>
    {metres !== null && (
      <>
        {' · '}
        <Trans>{feetOf(metres)} ft away</Trans>
      </>
    )}
    {followers > 0 && (
      <>
        {' · '}
        <Plural value={followers} one="# follower" other="# followers" />
      </>
    )}
  </>
)
