import { Trans, useLingui } from '@lingui/react/macro'
import { shortDay } from '../clock.ts'
import { Button } from './Button.tsx'
import { TextField } from './TextField.tsx'

interface FeedRowProps {
  name: string
  /** Creation time of the calendar's secret URL. Null if no such URL exists. */
  since: string | null
  /** The new URL, shown only once. */
  url: string | null
  busy: boolean
  onMake: () => void
  onEnd: () => void
}

/** Explanation of calendar URLs. */
export const AboutFeeds = () => (
  <p className="mb-4">
    <Trans>
      A calendar app can subscribe to a secret address. Anyone with the address can read the calendar without signing
      in, so do not share it. We will show the address only once. A new address replaces the old one.
    </Trans>
  </p>
)

/** Row for a calendar and its secret URL. A phone or another program can subscribe to the URL. */
export function FeedRow({ name, since, url, busy, onMake, onEnd }: FeedRowProps) {
  const { t } = useLingui()
  return (
    <div className="border-line border-t py-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span>
          <strong>{name}</strong>
          <span className="block text-muted text-sm">
            {since ? (
              <Trans>Calendar address created on {shortDay(since)}</Trans>
            ) : (
              <Trans>No calendar address yet</Trans>
            )}
          </span>
        </span>
        <span className="flex flex-wrap gap-2">
          <Button
            size="small"
            disabled={busy}
            aria-label={since ? t`Create new calendar address for ${name}` : t`Create calendar address for ${name}`}
            onClick={onMake}
          >
            {since ? <Trans>Create new calendar address</Trans> : <Trans>Create calendar address</Trans>}
          </Button>
          {since && (
            <Button size="small" disabled={busy} aria-label={t`Turn off calendar address for ${name}`} onClick={onEnd}>
              <Trans>Turn off calendar address</Trans>
            </Button>
          )}
        </span>
      </div>
      {url !== null && (
        <TextField
          className="mt-2"
          label={t`Secret calendar address for ${name}`}
          readOnly
          value={url}
          onFocus={({ target }) => target.select()}
        />
      )}
    </div>
  )
}
