import { Plural } from '@lingui/react/macro'

/** Number of messages that the viewer has not read, next to the case number in a list. */
export const UnreadMark = ({ count }: { count: number | undefined }) =>
  count ? (
    <span className="ms-1 inline-block whitespace-nowrap rounded-sm bg-info-tint px-1.5 font-bold text-info text-xs">
      <span aria-hidden>{count}</span>
      <span className="spoken">
        <Plural value={count} one="# new" other="# new" />
      </span>
    </span>
  ) : null
