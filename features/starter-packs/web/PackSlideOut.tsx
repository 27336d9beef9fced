import { Plural, Trans } from '@lingui/react/macro'
import type { RequestInputOf, ResponseOf } from '../../../shared/endpoint.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { starterPack } from '../contract.ts'

type Item = ResponseOf<typeof starterPack>['items'][number]

/** Preview of a starter pack: each item with its text, and whether the municipality has the item. */
export function PackSlideOut({
  response,
  onClose,
}: {
  response: RequestInputOf<typeof starterPack>
  onClose: () => void
}) {
  return (
    <ResponseSlideOut
      title={<Trans>Preview</Trans>}
      named={({ label }) => label}
      onClose={onClose}
      response={useResponse(starterPack, response)}
      loading={<Trans>Loading the items</Trans>}
    >
      {({ items }) => (
        <>
          <p className="mb-4 text-muted">
            <Plural value={items.length} one="# item" other="# items" />
          </p>
          <ul className="border-line border-t">
            {items.map((item) => (
              <ItemRow key={item.key} item={item} />
            ))}
          </ul>
        </>
      )}
    </ResponseSlideOut>
  )
}

function ItemRow({ item: { title, text, details, status, isDraft } }: { item: Item }) {
  return (
    <li className="border-line border-b py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <h3 className="wrap-anywhere min-w-0 text-base">{title}</h3>
        {status === 'added' && (
          <StatusBadge kind="good">
            <Trans>Added</Trans>
          </StatusBadge>
        )}
        {status === 'existing' && (
          <StatusBadge kind="neutral">
            <Trans>Same name exists</Trans>
          </StatusBadge>
        )}
        {status === 'new' && isDraft && (
          <StatusBadge kind="waiting">
            <Trans>Draft</Trans>
          </StatusBadge>
        )}
      </div>
      {text !== '' && <p className="wrap-anywhere mt-1 whitespace-pre-line">{text}</p>}
      {details.length > 0 && <p className="wrap-anywhere mt-1 text-muted text-sm">{details.join(' · ')}</p>}
    </li>
  )
}
