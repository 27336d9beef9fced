import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { call, messageOf } from '../../../web/call.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { type Faq, reportHelped } from '../contract.ts'
import { Marked } from './Marked.tsx'
import { RichAnswer } from './RichAnswer.tsx'
import { StatusMessage } from './StatusMessage.tsx'
import { hasRated, noteRated } from './rated-faqs.ts'

interface Props {
  faqs: readonly (Faq & { lexemes?: readonly string[] })[]
}

/** Questions with answers that open on click. The question from the URL is already open. */
export function Questions({ faqs }: Props) {
  const linked = Number(useQueryParam('question'))
  return (
    <ul className="border-line border-t">
      {faqs.map((faq) => (
        <Question key={faq.id} of={faq} isLinked={faq.id === linked} />
      ))}
    </ul>
  )
}

interface QuestionProps {
  of: Props['faqs'][number]
  isLinked: boolean
}

function Question({ of: { id, question, answer, lexemes = [] }, isLinked }: QuestionProps) {
  const element = useRef<HTMLDetailsElement>(null)
  /** True if the answer was open. Only then does it ask for feedback, because a page has hundreds of answers. */
  const [wasOpen, setWasOpen] = useState(false)
  useEffect(() => {
    if (isLinked) element.current?.scrollIntoView({ block: 'center' })
    // The person may have opened the answer before the script ran.
    if (element.current?.open) setWasOpen(true)
  }, [isLinked])
  return (
    <li className="border-line border-b">
      <details
        ref={element}
        open={isLinked}
        onToggle={({ currentTarget }) => currentTarget.open && setWasOpen(true)}
        className="print:[&::details-content]:[content-visibility:visible]"
      >
        <summary className="cursor-pointer rounded-sm py-3 font-bold">
          <Marked text={question} lexemes={lexemes} />
        </summary>
        <div className="flex flex-col gap-3 pb-4">
          <RichAnswer of={answer} lexemes={lexemes} />
          <div className="flex flex-wrap items-center gap-x-6 gap-y-2 text-sm print:hidden">
            {wasOpen && <Helped faqId={id} question={question} />}
            <Link className="link" to={`/frequently-asked-questions?question=${id}`}>
              <Trans>Link to this question</Trans>
            </Link>
          </div>
        </div>
      </details>
    </li>
  )
}

/** Asks whether an answer helped. Shown once in each browser. */
function Helped({ faqId, question }: { faqId: number; question: string }) {
  const { t } = useLingui()
  const [isRated, setIsRated] = useState(() => hasRated(faqId))
  const [isBusy, setBusy] = useState(false)
  const [notice, setNotice] = useState('')
  const sendFeedback = async (helped: boolean) => {
    setBusy(true)
    try {
      await call(reportHelped, { faqId, helped })
      noteRated(faqId)
      setNotice(helped ? t`Thank you.` : t`Thank you. We will review this answer.`)
      setIsRated(true)
    } catch (error) {
      setNotice(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <div role="group" aria-label={t`Did this help? ${question}`} className="flex flex-wrap items-center gap-2">
      {!isRated && (
        <>
          <span>
            <Trans>Did this help?</Trans>
          </span>
          <Button size="small" disabled={isBusy} onClick={() => void sendFeedback(true)}>
            <Trans>Yes</Trans>
          </Button>
          <Button size="small" disabled={isBusy} onClick={() => void sendFeedback(false)}>
            <Trans>No</Trans>
          </Button>
        </>
      )}
      <StatusMessage message={notice} />
    </div>
  )
}
