import type { AnchorHTMLAttributes, MouseEvent, Ref } from 'react'
import { go, isMine } from '../go.ts'

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A path of this origin, with its query, or a whole address. */
  to: string
  ref?: Ref<HTMLAnchorElement>
}

const plain = (event: MouseEvent) =>
  event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)

/** A link. Within this part of the portal it moves without loading a page; everywhere else it is the browser's own. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || rest.target || rest.download !== undefined || !plain(event) || !isMine(to)) return
    event.preventDefault()
    go(to)
  }
  return <a {...rest} href={to} onClick={follow} />
}
