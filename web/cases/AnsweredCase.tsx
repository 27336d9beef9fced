import { Trans } from '@lingui/react/macro'
import { Answered, type AnsweredProps } from '../ui/Answered.tsx'

/** A conversation, or its loading state. */
export const AnsweredCase = <Data,>({ response, children }: Pick<AnsweredProps<Data>, 'response' | 'children'>) => (
  <Answered
    response={response}
    shape="lines"
    loading={<Trans>Loading the messages</Trans>}
    failed={<Trans>Could not load the messages</Trans>}
  >
    {children}
  </Answered>
)
