import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { call } from '../../../web/call.ts'
import { dropDraft } from '../../../web/drafts.ts'
import { StaffFields } from '../../../web/fields/StaffFields.tsx'
import { reload, useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { CloseAction, SlideOut } from '../../../web/ui/Dialog.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { EmailField } from '../../../web/ui/TextField.tsx'
import { createPaymentLink, linkForm, type PaymentLink, showPaymentType } from '../contract.ts'
import { generalCharges } from '../list.ts'
import { PayLink } from './PayLink.tsx'
import { uploadForCharge } from './upload.ts'

/** Form in which staff enter a charge and send its link by email or on paper. */
export function MakeLink({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  const response = useResponse(showPaymentType, { typeId: id })
  const [made, setMade] = useState<PaymentLink | null>(null)
  const [email, setEmail] = useState('')
  const [errorText, setErrorText] = useState('')
  const [busy, setBusy] = useState(false)
  const draft = `payment-link-${id}-v${response.data?.latestVersion ?? 0}`
  const title = response.data?.form.title ?? ''
  return (
    <SlideOut
      title={<Trans>Payment link: {title}</Trans>}
      onClose={onClose}
      locked={busy}
      actions={
        made ? (
          <CloseAction onClose={onClose} />
        ) : (
          <>
            <Button type="submit" form="payment-link" variant="primary" busy={busy}>
              {email ? <Trans>Create and email link</Trans> : <Trans>Create link</Trans>}
            </Button>
            <CloseAction onClose={onClose} />
          </>
        )
      }
    >
      {made ? (
        <LinkMade link={made} title={title} />
      ) : (
        <ResponseView response={response} loading={<Trans>Loading the payment</Trans>}>
          {({ published, today }) => (
            <StaffFields
              id="payment-link"
              definition={published}
              start={{}}
              today={today}
              upload={uploadForCharge}
              draft={draft}
              onDone={async (answers) => {
                const parsed = linkForm.safeParse({ email })
                setErrorText(parsed.success ? '' : t`Enter an email address, such as name@example.com.`)
                if (!parsed.success) return
                setBusy(true)
                try {
                  setMade(await call(createPaymentLink, { typeId: id, answers, email: parsed.data.email }))
                  dropDraft(draft)
                  await Promise.all([reload(generalCharges.call), reload(showPaymentType)])
                } finally {
                  setBusy(false)
                }
              }}
            >
              <EmailField
                label={<Trans>Payer’s email</Trans>}
                hint={
                  <Trans>
                    The portal emails the link to this address. If you leave this field empty, you can print the link.
                  </Trans>
                }
                optional
                value={email}
                error={errorText || undefined}
                onChange={({ target }) => setEmail(target.value)}
              />
            </StaffFields>
          )}
        </ResponseView>
      )}
    </SlideOut>
  )
}

/** Message with a new link, which is shown only once. */
export function LinkMade({ link, title }: { link: PaymentLink; title: string }) {
  const { t } = useLingui()
  const { message, number, amountCents, url } = link
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="success" focusable title={message}>
        <Trans>
          The link is valid for 30 days. Anyone with the link can pay {formatCents(amountCents)} without signing in.
        </Trans>
      </Notice>
      <PayLink url={url} title={title} details={[t`Reference ${number}`, t`Amount ${formatCents(amountCents)}`]} />
    </div>
  )
}
