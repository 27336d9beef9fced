import { Trans } from '@lingui/react/macro'
import { type ReactNode, useEffect, useState } from 'react'
import { messageOf } from '../call.ts'
import { go, setQuery } from '../go.ts'
import { useQueryParam } from '../routes.tsx'
import { Link } from '../ui/Link.tsx'
import { Code, Text } from '../ui/Text.tsx'

/** Query parameter of a list's URL that names the case to open. */
const OPENS = 'open'

/**
 * Opens the case that the URL of a list names. The portal creates a case's link only when someone opens the case. So
 * each row links to its list.
 * @param pathOf requests the path of the named case
 */
export function useOpenFromAddress(pathOf: (name: string) => Promise<string>) {
  const [refusal, setRefusal] = useState('')
  const requested = useQueryParam(OPENS)
  useEffect(() => {
    if (!requested) return
    setRefusal('')
    pathOf(requested).then(
      (path) => go(path, { replace: true }),
      (error: unknown) => {
        setRefusal(messageOf(error))
        setQuery({ [OPENS]: null })
      },
    )
    // Only the URL decides which case opens.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [requested])
  return { refusal }
}

/** Opens the case with the id from the URL. `path`: start of the case's path, before its token. */
export const useOpenCase = (load: (id: number) => Promise<{ token: string }>, path: string) =>
  useOpenFromAddress(async (name) => `${path}/${(await load(Number(name))).token}`)

/** Returns the URL that opens a case from its list. */
export const openingPath = (list: string, name: string | number): string =>
  `${list}?${OPENS}=${encodeURIComponent(name)}`

interface CaseRowProps {
  title: string
  number: string
  to: string
  /** Location, date and person. */
  children: ReactNode
  /** True if the case has a reply that is newer than the person's last visit. */
  isNew?: boolean
  badge: ReactNode
}

/** One case in a resident's list. */
export function CaseRow({ title, number, to, children, isNew, badge }: CaseRowProps) {
  const name = (
    <>
      <Text>{title}</Text> <Code className="text-muted">{number}</Code>
    </>
  )
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-3">
      <div className="min-w-0">
        <Link className="link" to={to}>
          {name}
        </Link>
        <p className="wrap-anywhere text-muted text-sm">{children}</p>
        {isNew && (
          <p className="font-bold text-link text-sm">
            <Trans>New reply</Trans>
          </p>
        )}
      </div>
      <Text>{badge}</Text>
    </li>
  )
}
