import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { call, messageOf } from '../../../../web/call.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { RadioCards } from '../../../../web/ui/Choice.tsx'
import { Dialog } from '../../../../web/ui/Dialog.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { Failed, LoadingState } from '../../../../web/ui/States.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { companiesInformation } from '../../../../shared/companies.ts'
import { comparePast, restoreConfig, returnConfig } from '../../contract.ts'
import { configHistory } from '../../list.ts'
import { sectionNames } from '../../report.ts'
import { Changes } from './Changes.tsx'
import type { CompanyConfigResponse, Version } from './company.ts'
import { translated } from '../../../../shared/messages.ts'

interface RestoreConfigProps {
  version: Version
  companyConfig: CompanyConfigResponse
  onClose: () => void
}

type State = 'before' | 'after'

/** Dialog that lists the changes that a restore would make. Restores the old state after confirmation. */
export function RestoreConfig({ version, companyConfig, onClose }: RestoreConfigProps) {
  const { t } = useLingui()
  const [state, setState] = useState<State>('before')
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const companyId = companyConfig.company.id
  const { data, error, isFetching, refetch } = useResponse(comparePast, { companyId, versionId: version.id, state })
  const name = translated(sectionNames[version.section])

  const put = async () => {
    if (!data) return
    setBusy(true)
    setRefusal(undefined)
    try {
      const { message } = await call(restoreConfig, { companyId, versionId: version.id, state, basis: data.basis })
      toast(message)
      for (const endpoint of [returnConfig, configHistory.call, comparePast, companiesInformation])
        void reload(endpoint)
      onClose()
    } catch (failure) {
      setRefusal(messageOf(failure))
      setBusy(false)
    }
  }
  const differs = data !== undefined && data.changes.length > 0
  return (
    <Dialog
      title={<Trans>Restore {name}</Trans>}
      onClose={onClose}
      locked={busy}
      actions={
        <>
          <Button variant="primary" busy={busy} disabled={!differs || isFetching} onClick={() => void put()}>
            <Trans>Restore version</Trans>
          </Button>
          <Button disabled={busy} onClick={onClose}>
            <Trans>Keep current settings</Trans>
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {refusal && (
          <Notice tone="danger" focusable>
            {refusal}
          </Notice>
        )}
        <RadioCards<State>
          name="state"
          label={t`Version to restore`}
          value={state}
          onChange={setState}
          options={[
            { value: 'before', label: t`Before this change` },
            { value: 'after', label: t`After this change` },
          ]}
        />
        <div>
          <h3 className="mb-2 text-tile">
            <Trans>Resulting changes</Trans>
          </h3>
          {error ? (
            <Failed error={error} onRetry={() => void refetch()} />
          ) : !data ? (
            <LoadingState shape="lines" rows={2}>
              <Trans>Comparing settings</Trans>
            </LoadingState>
          ) : differs ? (
            <Changes changes={data.changes} />
          ) : (
            <p className="text-muted">
              <Trans>None. The current settings already match this version.</Trans>
            </p>
          )}
        </div>
      </div>
    </Dialog>
  )
}
