import { Trans, useLingui } from '@lingui/react/macro'
import { Text } from './Text.tsx'

interface RowErrorsProps {
  /** First rows with errors. `where` is the position in the file, and `reason` is the error. */
  rows: readonly { where: string; reason: string }[]
  count: number
}

/** List of the rows that cannot be imported. */
export function InvalidRows({ rows, count }: RowErrorsProps) {
  const { t } = useLingui()
  const more = (count - rows.length).toLocaleString('en-US')
  return (
    <>
      {rows.length > 0 && (
        // Focusable, so that the keyboard can scroll the list.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <ul tabIndex={0} aria-label={t`Rows with errors`} className="mt-2 max-h-72 overflow-y-auto">
          {rows.map(({ where, reason }) => (
            <li key={`${where} ${reason}`} className="border-line border-t py-1 wrap-anywhere">
              <strong>
                <Text>{where}</Text>:
              </strong>{' '}
              <Text>{reason}</Text>
            </li>
          ))}
        </ul>
      )}
      {count > rows.length && (
        <p className="mt-2">
          <Trans>and {more} more</Trans>
        </p>
      )}
    </>
  )
}
