import { Trans } from '@lingui/react/macro'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { call } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { toast } from '../../../web/ui/Toasts.tsx'
import { arrangementOf, proposeArrangement, termsForm } from '../contract.ts'
import { arrangementList } from '../list.ts'
import type { Terms } from '../rules.ts'
import { TermsFields } from './TermsFields.tsx'

interface ProposeProps {
  kind: string
  itemId: number
  onClose: () => void
  onMade: (id: number) => void
}

export function ProposeSlideOut(props: ProposeProps) {
  const { kind, itemId, onClose } = props
  const response = useResponse(arrangementOf, { kind, itemId })
  if (response.data?.can.propose) return <Propose {...props} of={response.data} />
  return (
    <ResponseSlideOut
      title={<Trans>Payment arrangement</Trans>}
      onClose={onClose}
      response={response}
      loading={<Trans>Loading the amount due</Trans>}
      failed={<Trans>Could not load this account</Trans>}
    >
      {({ plan, owedCents }) => (
        <p>
          {plan ? (
            <Trans>This account already has a payment arrangement.</Trans>
          ) : owedCents > 1 ? (
            <Trans>You do not have permission to propose a payment arrangement.</Trans>
          ) : (
            <Trans>You cannot propose an arrangement because this account has no amount due.</Trans>
          )}
        </p>
      )}
    </ResponseSlideOut>
  )
}

function Propose({ kind, itemId, of, onClose, onMade }: ProposeProps & { of: ResponseOf<typeof arrangementOf> }) {
  const { reference, name, owedCents, today } = of
  const form = useZodForm<Terms, Terms>(termsForm, {
    defaultValues: { totalCents: owedCents, firstCents: null, count: 3, firstOn: today, every: 'month' },
    draft: { name: `propose:${kind}:${itemId}` },
  })
  return (
    <FormSlideOut
      title={<Trans>Payment arrangement for {reference}</Trans>}
      form={form}
      save={<Trans>Propose arrangement</Trans>}
      onSubmit={async (terms) => {
        const { message, id } = await call(proposeArrangement, { kind, itemId, form: terms })
        toast(message)
        await Promise.all([reload(arrangementList.call), reload(arrangementOf)])
        onMade(id)
      }}
      onClose={onClose}
    >
      <p>
        <Trans>
          {name} owes {formatCents(owedCents)}. Residents who have linked this account will be notified and can agree in
          the portal.
        </Trans>
      </p>
      <TermsFields form={form} owedCents={owedCents} today={today} limits={null} />
    </FormSlideOut>
  )
}
