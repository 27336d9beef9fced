import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { ResponseSlideOut, type ResponsePanelProps } from '../ui/ResponseView.tsx'

interface CaseSlideOutProps<Data> extends Pick<ResponsePanelProps<Data>, 'response' | 'onClose' | 'children'> {
  number: string
  /** Title if the record is not called a request. */
  title?: ReactNode
}

/** Slide-out that shows a whole request to the staff who work on it. */
export const CaseSlideOut = <Data,>({ number, title, ...rest }: CaseSlideOutProps<Data>) => (
  <ResponseSlideOut
    title={title ?? <Trans>Request {number}</Trans>}
    loading={<Trans>Loading the request</Trans>}
    failed={<Trans>This request could not be loaded</Trans>}
    {...rest}
  />
)
