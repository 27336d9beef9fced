import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { AnsweredSlideOut, type AnsweredViewProps } from '../ui/Answered.tsx'

interface CaseSlideOutProps<Data> extends Pick<AnsweredViewProps<Data>, 'answer' | 'onClose' | 'children'> {
  number: string
  /** Where it is called otherwise than a request. */
  title?: ReactNode
}

/** A request in full, as whoever works on it sees it. */
export const CaseSlideOut = <Data,>({ number, title, ...rest }: CaseSlideOutProps<Data>) => (
  <AnsweredSlideOut
    title={title ?? <Trans>Request {number}</Trans>}
    loading={<Trans>Loading the request</Trans>}
    failed={<Trans>This request could not be loaded</Trans>}
    {...rest}
  />
)
