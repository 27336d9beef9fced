import { Trans } from '@lingui/react/macro'
import { MessageSquareReply } from 'lucide-react'

/** Mark of a case in a list: the requester wrote the latest message. */
export const RepliedMark = () => (
  <span className="ms-2 inline-flex items-center gap-1 align-middle text-info text-sm">
    <MessageSquareReply size={16} aria-hidden />
    <Trans>Requester replied</Trans>
  </span>
)
