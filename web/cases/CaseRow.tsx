import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { sentenceOf } from '../call.ts'
import { go } from '../go.ts'
import { Link } from '../ui/Link.tsx'
import { Code, Text } from '../ui/Text.tsx'

/**
 * Leads a resident to one of their own cases, by a link that is made when it is asked for.
 * @param ask asks for the link's token
 * @param path where the token stands at the end
 */
export const useOpenCase = (ask: (id: number) => Promise<{ token: string }>, path: string) =>
  useOpenLink(async (id: number) => `${path}/${(await ask(id)).token}`)

/** Goes to a path that is made when it is asked for. */
export function useOpenLink<Of>(ask: (of: Of) => Promise<string>) {
  const [refusal, setRefusal] = useState('')
  const [busy, setBusy] = useState(false)
  const open = async (of: Of) => {
    setBusy(true)
    try {
      go(await ask(of))
    } catch (error) {
      setRefusal(sentenceOf(error))
      setBusy(false)
    }
  }
  return { open, refusal, busy }
}

interface CaseRowProps {
  title: string
  number: string
  /** Where it is looked at; or what makes a link to it. */
  to?: string
  open?: { onPress: () => void; busy: boolean }
  /** Place, date, for whom. */
  children: ReactNode
  /** Somebody answered since it was last looked at. */
  isNew?: boolean
  badge: ReactNode
}

/** One of a resident's cases, in a list of them. */
export function CaseRow({ title, number, to, open, children, isNew, badge }: CaseRowProps) {
  const name = (
    <>
      <Text>{title}</Text> <Code className="text-muted">{number}</Code>
    </>
  )
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-3">
      <div className="min-w-0">
        {to === undefined ? (
          <button type="button" className="link text-start" disabled={open?.busy} onClick={open?.onPress}>
            {name}
          </button>
        ) : (
          <Link className="link" to={to}>
            {name}
          </Link>
        )}
        <p className="wrap-anywhere text-muted text-sm">{children}</p>
        {isNew && (
          <p className="font-bold text-link text-sm">
            <Trans>New answer</Trans>
          </p>
        )}
      </div>
      <Text>{badge}</Text>
    </li>
  )
}
