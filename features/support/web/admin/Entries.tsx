import { Trans } from '@lingui/react/macro'
import { shortInstant } from '../../../../web/clock.ts'
import { cx } from '../../../../web/ui/cx.ts'
import { statuses } from '../../rules.ts'
import type { Details } from './details.ts'

type Entry = Details['entries'][number]

const looks: Record<Entry['kind'], string> = {
  person: 'border-line',
  reply: 'border-line border-s-4 border-s-link bg-tint',
  note: 'border-edge border-dashed',
  status: 'border-transparent',
}

/** Everything that was said and done, the oldest first. */
export const Entries = ({ entries }: Pick<Details, 'entries'>) => (
  <section className="mt-7">
    <h3 className="mb-2 text-lg">
      <Trans>Conversation</Trans>
    </h3>
    <ol className="flex flex-col gap-3">
      {entries.map((entry) => (
        <li
          key={entry.key}
          className={cx(
            'rounded-sm border text-table',
            looks[entry.kind],
            entry.kind === 'status' ? 'px-1' : 'px-4 py-3',
          )}
        >
          {entry.kind === 'status' ? <Step {...entry} /> : <Message {...entry} />}
        </li>
      ))}
    </ol>
  </section>
)

const Message = ({ kind, by, at, text }: Entry) => (
  <>
    <p className="mb-1 text-muted text-sm">
      <strong className="text-ink">{by}</strong>
      {kind === 'note' && (
        <>
          {' · '}
          <Trans>internal note</Trans>
        </>
      )}
      {' · '}
      <time dateTime={at}>{shortInstant(at)}</time>
    </p>
    <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
  </>
)

const Step = ({ by, at, text, status }: Entry) => (
  <p className="text-muted text-sm wrap-anywhere">
    <Trans>
      {status === null ? '' : statuses[status]} · {by}
    </Trans>
    {' · '}
    <time dateTime={at}>{shortInstant(at)}</time>
    {text && <span className="block text-ink">{text}</span>}
  </p>
)
