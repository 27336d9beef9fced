import { Trans } from '@lingui/react/macro'
import { CaseMessages } from '../../../../web/cases/CaseMessages.tsx'
import { type ScreenUrl, useParam } from '../../../../web/routes.tsx'
import { LinkButton } from '../../../../web/ui/Button.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { contestCase } from '../../contract.ts'

export const calls = ({ params: { token = '' } }: ScreenUrl) => [[contestCase.messages, { token }]] as const

/** Screen with a contest. The person opens it with the link in an email. */
export default function ContestScreen() {
  const tickets = (
    <LinkButton className="mt-5" to="/parking-tickets">
      <Trans>Parking Tickets</Trans>
    </LinkButton>
  )
  return (
    <CaseMessages
      of={contestCase}
      token={useParam('token')}
      title={<Trans>Your Contest Request</Trans>}
      loading={<Trans>Loading your contest request</Trans>}
      failed={<Trans>Your contest request could not be loaded</Trans>}
      nextLink={tickets}
      closed={
        <>
          <Notice>
            <Trans>This contest request has been decided. If you have questions, call the office.</Trans>
          </Notice>
          {tickets}
        </>
      }
      reopensHint=""
      byline={(by) => by}
    />
  )
}
