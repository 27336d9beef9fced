import { Trans, useLingui } from '@lingui/react/macro'
import { Paperclip } from 'lucide-react'
import { messageOf } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { useAnswer } from '../../../web/query.ts'
import { AnsweredSlideOut } from '../../../web/ui/Answered.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { outboxAttachment, outboxMail, platformMail } from '../contract.ts'
import { Code, Text } from '../../../web/ui/Text.tsx'

interface MailSlideOutProps {
  companyId: number
  mailId: number
  onClose: () => void
}

/** Email as its receiver would see it. */
export function MailSlideOut({ companyId, mailId, onClose }: MailSlideOutProps) {
  const { t } = useLingui()
  const own = companyId === 0
  const companyMail = useAnswer(outboxMail, { companyId, mailId }, { enabled: !own })
  const platform = useAnswer(platformMail, { mailId }, { enabled: own })
  const answer = own ? platform : companyMail
  const save = (at: number) =>
    download(outboxAttachment, { companyId, mailId, at }).catch((failure: unknown) =>
      toast(messageOf(failure), 'danger'),
    )
  return (
    <AnsweredSlideOut
      title={answer.data?.subject ?? t`Email`}
      onClose={onClose}
      answer={answer}
      loading={<Trans>Loading the email</Trans>}
      failed={<Trans>This email could not be loaded</Trans>}
    >
      {(data) => (
        <>
          <DetailList
            className="text-table"
            details={[
              [<Trans key="to">To</Trans>, data.to],
              [<Trans key="town">Municipality</Trans>, data.company],
              [<Trans key="time">Time</Trans>, shortInstant(data.at)],
            ]}
          />
          <p className="mt-5 border-line border-t pt-5 wrap-anywhere whitespace-pre-line">{data.text}</p>
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
    </AnsweredSlideOut>
  )
}
