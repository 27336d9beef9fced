import type { AnchorHTMLAttributes, MouseEvent, Ref } from 'react'
import { isClosed } from '../modules.ts'
import { Text } from './Text.tsx'
import { go, isOwnHref, setQuery, withQuery } from '../go.ts'

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A path of this origin with its query, or a full URL. */
  to: string
  /**
   * Called instead of navigation on a plain click, for example to open a panel on this page. A new tab still opens
   * `to`.
   */
  onFollow?: () => void
  ref?: Ref<HTMLAnchorElement>
}

const plain = (event: MouseEvent) =>
  event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)

/**
 * Link. Within this shell it navigates without a page load. Otherwise, the browser loads the page. If the module of the
 * screen is off, only the content is shown.
 */
export function Link({ to, onClick, onFollow, ...rest }: LinkProps) {
  if (isClosed(to)) return <Text>{rest.children}</Text>
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || rest.target || rest.download !== undefined || !plain(event)) return
    if (!onFollow && !isOwnHref(to)) return
    event.preventDefault()
    if (onFollow) onFollow()
    else go(to)
  }
  return <a {...rest} href={to} onClick={follow} />
}

interface QueryLinkProps extends Omit<LinkProps, 'to' | 'onFollow'> {
  /** Query changes, as for `setQuery`. */
  set: Readonly<Record<string, string | null>>
}

/** A link that opens a record over this screen. The link also works in a new tab. */
export const QueryLink = ({ set, ...rest }: QueryLinkProps) => (
  <Link aria-haspopup="dialog" {...rest} to={withQuery(set)} onFollow={() => setQuery(set)} />
)
