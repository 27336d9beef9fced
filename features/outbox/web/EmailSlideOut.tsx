import { Trans, useLingui } from '@lingui/react/macro'
import { Paperclip } from 'lucide-react'
import { messageOf } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { LinkedText } from '../../../web/ui/LinkedText.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { outboxAttachment, outboxEmail, platformEmail } from '../contract.ts'
import { Code, Text } from '../../../web/ui/Text.tsx'

interface EmailSlideOutProps {
  companyId: number
  emailId: number
  onClose: () => void
}

/** Email as its recipient would see it. */
export function EmailSlideOut({ companyId, emailId, onClose }: EmailSlideOutProps) {
  const { t } = useLingui()
  const own = companyId === 0
  const companyEmail = useResponse(outboxEmail, { companyId, emailId }, { enabled: !own })
  const platform = useResponse(platformEmail, { emailId }, { enabled: own })
  const response = own ? platform : companyEmail
  const save = (at: number) =>
    download(outboxAttachment, { companyId, emailId, at }).catch((failure: unknown) =>
      toast(messageOf(failure), 'danger'),
    )
  return (
    <ResponseSlideOut
      title={response.data?.subject ?? t`Email`}
      onClose={onClose}
      response={response}
      loading={<Trans>Loading the email</Trans>}
      failed={<Trans>Could not load the email</Trans>}
    >
      {(data) => (
        <>
          <DetailList
            className="text-table"
            details={[
              [<Trans key="to">To</Trans>, data.to],
              [<Trans key="company">Municipality</Trans>, data.company],
              [<Trans key="time">Time</Trans>, shortInstant(data.at)],
            ]}
          />
          <p className="mt-5 border-line border-t pt-5 wrap-anywhere whitespace-pre-line">
            <LinkedText>{data.text}</LinkedText>
          </p>
          {data.attachments.length > 0 && (
            <section className="mt-7">
              <h3 className="mb-2 text-lg">
                <Trans>Attachments</Trans>
              </h3>
              <ul className="flex flex-wrap gap-2">
                {data.attachments.map(({ name, bytes }, at) => (
                  <li key={name}>
                    <Button icon={Paperclip} onClick={() => void save(at)}>
                      <Code>{name}</Code> (<Text>{Math.ceil(bytes / 1000)}</Text> kB)
                    </Button>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </>
      )}
    </ResponseSlideOut>
  )
}
