import { Trans, useLingui } from '@lingui/react/macro'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '../../../../shared/dates.ts'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { call, messageOf } from '../../../../web/call.ts'
import { setQuery } from '../../../../web/go.ts'
import { useResponse } from '../../../../web/query.ts'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { DetailList } from '../../../../web/ui/Card.tsx'
import { CloseAction, ConfirmDialog, SlideOut } from '../../../../web/ui/Dialog.tsx'
import { MoveButtons } from '../../../../web/ui/MoveButtons.tsx'
import { StateBadge } from '../../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { transitionFaq, removeFaq, showFaq } from '../../contract-staff.ts'
import { faqStates } from '../../states.ts'
import { RichAnswer } from '../RichAnswer.tsx'
import { refreshFaqs } from './fresh.ts'

interface Props {
  id: number
  onClose: () => void
}

/** A question as residents read it, with their feedback. */
export function FaqSlideOut({ id, onClose }: Props) {
  const { t } = useLingui()
  const response = useResponse(showFaq, { faqId: id })
  const { data } = response
  const [isRemoving, setRemoving] = useState(false)
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      toast((await call(removeFaq, { faqId: id })).message)
      onClose()
    } catch (error) {
      toast(messageOf(error), 'danger')
      setRemoving(false)
    }
    setBusy(false)
    await refreshFaqs()
  }
  return (
    <>
      <SlideOut
        title={data?.form.question ?? t`Question`}
        onClose={onClose}
        actions={
          <>
            {data?.can.edit && (
              <Button variant="primary" icon={Pencil} onClick={() => setQuery({ edit: '1' })}>
                <Trans>Edit FAQ</Trans>
              </Button>
            )}
            {data?.can.remove && (
              <Button icon={Trash2} onClick={() => setRemoving(true)}>
                <Trans>Remove</Trans>
              </Button>
            )}
            <CloseAction onClose={onClose} />
          </>
        }
      >
        <ResponseView response={response} loading={<Trans>Loading FAQ</Trans>} shape="lines">
          {(loaded) => <FaqDetails id={id} loaded={loaded} />}
        </ResponseView>
      </SlideOut>
      {isRemoving && (
        <ConfirmDialog
          title={<Trans>Remove this FAQ?</Trans>}
          confirmLabel={<Trans>Remove FAQ</Trans>}
          danger
          busy={busy}
          onConfirm={() => void remove()}
          onClose={() => setRemoving(false)}
        >
          <Trans>The question, its answer and residents’ feedback will be permanently deleted.</Trans>
        </ConfirmDialog>
      )}
    </>
  )
}

function FaqDetails({ id, loaded }: { id: number; loaded: ResponseOf<typeof showFaq> }) {
  const { t } = useLingui()
  const { form, category, status, helped, notHelped, can } = loaded
  const lines = form.alternatives.split('\n').filter(Boolean)
  const move = async (event: 'publish' | 'withdraw') => {
    toast((await call(transitionFaq, { faqId: id, event })).message)
    await refreshFaqs()
  }
  return (
    <div className="flex flex-col gap-6">
      <div>
        <DetailList
          details={[
            [t`Status`, <StateBadge key="status" of={faqStates} state={status} />],
            [t`Category`, category],
            ...(form.visibleFrom ? [[t`Shown from`, formatDate(form.visibleFrom)] as const] : []),
            ...(form.visibleUntil ? [[t`Shown until`, formatDate(form.visibleUntil)] as const] : []),
            [t`Helped`, t`In the last year: ${helped} yes, ${notHelped} no`],
          ]}
        />
        <MoveButtons of={faqStates} can={can} onPress={move} />
      </div>
      <section aria-label={t`Answer`} className="flex flex-col gap-3 border-line border-t pt-5">
        <RichAnswer of={form.answer} lexemes={[]} />
      </section>
      {lines.length > 0 && (
        <section aria-label={t`Other wordings`} className="border-line border-t pt-5">
          <h3 className="mb-2">
            <Trans>Other wordings</Trans>
          </h3>
          <ul className="list-disc ps-5 text-muted">
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
