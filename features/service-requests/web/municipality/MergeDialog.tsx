import { Trans, useLingui } from '@lingui/react/macro'
import { call } from '../../../../web/call.ts'
import { useResponse } from '../../../../web/query.ts'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { FormDialog } from '../../../../web/ui/FormDialog.tsx'
import { forgetDraft, useZodForm } from '../../../../web/ui/form.ts'
import { StateBadge } from '../../../../web/ui/StatusBadge.tsx'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { duplicates, mergeForm, mergeRequest } from '../../contract-staff.ts'
import { requestStates } from '../../states.ts'
import { type Details, reloadRequests } from './fresh.ts'
import { RequestDetails, Suggestions } from './Suggestions.tsx'
import { Text } from '../../../../web/ui/Text.tsx'

interface ToolProps {
  request: Details['request']
  onClose: () => void
}

/**
 * Dialog to choose the target of a merge. The target is a suggested request, or any request that staff enter by its
 * number.
 */
export function MergeDialog({ request: { id: subjectId, number }, onClose }: ToolProps) {
  const { t } = useLingui()
  const form = useZodForm(mergeForm, { defaultValues: { into: '' }, draft: { name: `request-merge:${subjectId}` } })
  const offered = useResponse(duplicates, { subjectId })
  return (
    <FormDialog
      title={t`Merge ${number}`}
      form={form}
      submit={<Trans>Merge request</Trans>}
      onSubmit={async ({ into }) => {
        toast((await call(mergeRequest, { subjectId, into })).message)
        forgetDraft(form)
        await reloadRequests()
      }}
      onClose={onClose}
    >
      <p>
        <Trans>
          This request will be closed, and the other one will stay open. The requester and followers of this request
          will get updates on the other one.
        </Trans>
      </p>
      <ResponseView
        response={offered}
        shape="lines"
        rows={2}
        loading={<Trans>Looking for possible duplicates</Trans>}
        failed={<Trans>Could not load possible duplicates</Trans>}
      >
        {({ requests }) =>
          requests.length === 0 ? (
            <p className="text-muted">
              <Trans>No possible duplicates were found among open requests nearby or from the same requester.</Trans>
            </p>
          ) : (
            <Suggestions
              label={t`Possible duplicates`}
              records={requests}
              details={({ location, status, ...request }) => (
                <>
                  <span className="block text-muted">
                    <Text>{location && `${location} · `}</Text>
                    <RequestDetails {...request} />
                  </span>
                  <StateBadge of={requestStates} state={status} />
                </>
              )}
              onChoose={(chosen) => form.setValue('into', chosen, { shouldDirty: true, shouldValidate: true })}
            />
          )
        }
      </ResponseView>
      <TextField
        label={t`Number of the other request`}
        hint={t`For example: R-2026-000123.`}
        autoComplete="off"
        {...form.field('into')}
      />
    </FormDialog>
  )
}
