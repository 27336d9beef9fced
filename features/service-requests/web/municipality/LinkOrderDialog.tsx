import { Trans, useLingui } from '@lingui/react/macro'
import { call } from '../../../../web/call.ts'
import { useResponse } from '../../../../web/query.ts'
import { FormDialog } from '../../../../web/ui/FormDialog.tsx'
import { forgetDraft, useZodForm } from '../../../../web/ui/form.ts'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { linkToOrder, orderLinkForm, ordersNearby } from '../../contract-staff.ts'
import { type Details, reloadRequests } from './fresh.ts'
import { Suggestions } from './Suggestions.tsx'

/** Dialog that adds a request to an open work order, so that several requests have one work order. */
export function LinkOrderDialog({ request, onClose }: Pick<Details, 'request'> & { onClose: () => void }) {
  const { t } = useLingui()
  const { id: subjectId, number } = request
  const form = useZodForm(orderLinkForm, { defaultValues: { order: '' }, draft: { name: `request-link:${subjectId}` } })
  const offered = useResponse(ordersNearby, { subjectId })
  return (
    <FormDialog
      title={t`Add ${number} to a work order`}
      form={form}
      submit={<Trans>Add request</Trans>}
      onSubmit={async ({ order }) => {
        toast((await call(linkToOrder, { subjectId, order })).message)
        forgetDraft(form)
        await reloadRequests()
      }}
      onClose={onClose}
    >
      <p>
        <Trans>
          The request’s status then follows the work order. Completing the work order completes the request.
        </Trans>
      </p>
      <ResponseView
        response={offered}
        shape="lines"
        rows={2}
        loading={<Trans>Looking for open work orders nearby</Trans>}
        failed={<Trans>Could not load the work orders nearby</Trans>}
      >
        {({ orders }) =>
          orders.length === 0 ? (
            <p className="text-muted">
              <Trans>No open work orders are near this request.</Trans>
            </p>
          ) : (
            <Suggestions
              label={t`Open work orders nearby`}
              records={orders}
              details={({ location }) => <span className="block text-muted">{location}</span>}
              onChoose={(chosen) => form.setValue('order', chosen, { shouldDirty: true, shouldValidate: true })}
            />
          )
        }
      </ResponseView>
      <TextField
        label={t`Number of the work order`}
        hint={t`For example: WO-2026-000012.`}
        autoComplete="off"
        {...form.field('order')}
      />
    </FormDialog>
  )
}
