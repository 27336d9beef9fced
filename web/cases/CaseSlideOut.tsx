import { Trans } from '@lingui/react/macro'
import { AnsweredSlideOut, type ShownProps } from '../ui/Answered.tsx'

interface CaseSlideOutProps<Data> extends Pick<ShownProps<Data>, 'answer' | 'onClose' | 'children'> {
  number: string
}

/** A request in full, as whoever works on it sees it. */
export const CaseSlideOut = <Data,>({ number, ...rest }: CaseSlideOutProps<Data>) => (
  <AnsweredSlideOut
    title={<Trans>Request {number}</Trans>}
    loading={<Trans>Loading the request</Trans>}
    failed={<Trans>This request could not be loaded</Trans>}
    {...rest}
  />
)
