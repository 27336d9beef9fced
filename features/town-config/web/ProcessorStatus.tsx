import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { translated } from '../../../shared/messages.ts'
import { call, messageOf } from '../../../web/call.ts'
import { go } from '../../../web/go.ts'
import { useResponse } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Failed, LoadingState } from '../../../web/ui/States.tsx'
import { sentencesOf, whyOf } from '../../onboarding/rules.ts'
import { startProcessorSetup, processorStatus } from '../contract.ts'
import { Code, Text } from '../../../web/ui/Text.tsx'

/**
 * List of the information that the processor still requires, with a button that opens the processor's onboarding page.
 */
export function ProcessorStatus({ companyId }: { companyId: number }) {
  const { t } = useLingui()
  const { data, error, refetch } = useResponse(processorStatus, { companyId })
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <LoadingState>
        <Trans>Loading processor status</Trans>
      </LoadingState>
    )
  const { state, missing, why } = data
  if (state === 'not_needed') return null
  const titles = {
    not_started: t`The municipality is not registered with the processor yet`,
    in_progress: t`The municipality has started registering with the processor`,
    missing: t`The processor needs more information`,
    in_review: t`The processor is reviewing the information`,
    on_hold: t`The processor has put the municipality on hold`,
    ready: t`The processor accepts payments and pays them out`,
  }
  const open = async () => {
    setBusy(true)
    setRefusal('')
    try {
      const { url } = await call(startProcessorSetup, { companyId })
      go(url)
    } catch (failure) {
      setRefusal(messageOf(failure))
      setBusy(false)
    }
  }
  return (
    <Notice tone={state === 'ready' ? 'success' : 'warning'} title={titles[state]} className="mt-6">
      {missing.length > 0 && (
        <ul className="list-disc ps-5">
          {sentencesOf(missing).map(({ text, code }) => (
            <li key={text + (code ?? '')} className="wrap-anywhere">
              <Text>{translated(text)}</Text>{' '}
              {code !== null && (
                <>
                  <Text>(</Text>
                  <Code>{code}</Code>
                  <Text>)</Text>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {why !== '' && (
        <p>
          <Trans>Reason: {translated(whyOf(why))}</Trans>
        </p>
      )}
      {refusal !== '' && <p className="text-danger">{refusal}</p>}
      {state !== 'ready' && (
        <Button size="small" className="mt-2" busy={busy} busyLabel={<Trans>Opening...</Trans>} onClick={open}>
          <Trans>Continue on the processor’s site</Trans>
        </Button>
      )}
    </Notice>
  )
}
