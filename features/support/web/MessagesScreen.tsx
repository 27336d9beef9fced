import { Trans, useLingui } from '@lingui/react/macro'
import { CaseMessages } from '../../../web/cases/CaseMessages.tsx'
import { type ScreenUrl, useParam } from '../../../web/routes.tsx'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { supportCase } from '../contract.ts'

export const calls = ({ params: { token = '' } }: ScreenUrl) => [[supportCase.messages, { token }]] as const

/** Screen opened by the emailed link of a support request. */
export default function MessagesScreen() {
  const { t } = useLingui()
  return (
    <CaseMessages
      of={supportCase}
      token={useParam('token')}
      title={<Trans>Your Support Request</Trans>}
      loading={<Trans>Loading your request</Trans>}
      failed={<Trans>Your request could not be loaded</Trans>}
      nextLink={
        <LinkButton className="mt-5" to="/support">
          <Trans>Enter a Support Request</Trans>
        </LinkButton>
      }
      closed={
        <Notice>
          <Trans>This request is closed. If you need more help, enter a new support request.</Trans>
        </Notice>
      }
      reopensHint={t`Your message will reopen the request.`}
      byline={(by) => <Trans>{by}, Website Support</Trans>}
    />
  )
}
