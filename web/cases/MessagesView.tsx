import { Trans } from '@lingui/react/macro'
import { ResponseView, type ResponseViewProps } from '../ui/ResponseView.tsx'

/** Messages of a chat, or their loading state. */
export const MessagesView = <Data,>({ response, children }: Pick<ResponseViewProps<Data>, 'response' | 'children'>) => (
  <ResponseView
    response={response}
    shape="lines"
    loading={<Trans>Loading the messages</Trans>}
    failed={<Trans>Could not load the messages</Trans>}
  >
    {children}
  </ResponseView>
)
