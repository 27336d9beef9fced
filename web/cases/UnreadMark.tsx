import { Plural } from '@lingui/react/macro'

/** Beside the number of a case in a list: so many messages that whoever looks has not read. */
export const UnreadMark = ({ count }: { count: number | undefined }) =>
  count ? (
    <span className="ms-2 inline-block whitespace-nowrap rounded-sm bg-info-tint px-1.5 font-bold text-info text-xs">
      <Plural value={count} one="# new" other="# new" />
    </span>
  ) : null
