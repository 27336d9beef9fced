import { Trans } from '@lingui/react/macro'
import type { Change } from '../../report.ts'
import { Text } from '../../../../web/ui/Text.tsx'

const LONG = 160
const short = (text: string) => (text.length > LONG ? `${text.slice(0, LONG)}…` : text)

/** List of changed fields with their old and new values. */
export const Changes = ({ changes }: { changes: readonly Change[] }) => (
  <dl className="flex flex-col gap-2">
    {changes.map(({ field, label, old, new: now }) => (
      <div key={field} className="grid gap-x-4 sm:grid-cols-[12rem_minmax(0,1fr)]">
        <dt className="font-bold text-sm">{label}</dt>
        <dd className="min-w-0 wrap-anywhere text-sm">
          <del className="text-muted decoration-1">
            <span className="spoken">
              <Trans>from</Trans>{' '}
            </span>
            <Text>{short(old)}</Text>
          </del>{' '}
          <span aria-hidden>→</span>{' '}
          <ins className="font-bold no-underline">
            <span className="spoken">
              <Trans>to</Trans>{' '}
            </span>
            <Text>{short(now)}</Text>
          </ins>
        </dd>
      </div>
    ))}
  </dl>
)
