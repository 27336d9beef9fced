import { Trans, useLingui } from '@lingui/react/macro'
import { Text } from './Text.tsx'

interface WrongRowsProps {
  /** The first of them: where each stands in the file, and what is the matter with it. */
  wrong: readonly { where: string; reason: string }[]
  /** How many there are. */
  count: number
}

/** The rows of a file that can't be imported, as they are. */
export function WrongRows({ wrong, count }: WrongRowsProps) {
  const { t } = useLingui()
  const more = (count - wrong.length).toLocaleString('en-US')
  return (
    <>
      {wrong.length > 0 && (
        // A list that scrolls has to be reached by the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <ul tabIndex={0} aria-label={t`Wrong rows`} className="mt-2 max-h-72 overflow-y-auto">
          {wrong.map(({ where, reason }) => (
            <li key={`${where} ${reason}`} className="border-line border-t py-1 wrap-anywhere">
              <strong>
                <Text>{where}</Text>:
              </strong>{' '}
              <Text>{reason}</Text>
            </li>
          ))}
        </ul>
      )}
      {count > wrong.length && (
        <p className="mt-2">
          <Trans>and {more} more</Trans>
        </p>
      )}
    </>
  )
}
