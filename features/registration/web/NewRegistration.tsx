import { Trans } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { LocationValue } from '../../../shared/places.ts'
import { translated } from '../../../shared/messages.ts'
import { call } from '../../../web/call.ts'
import { SavedLine, OthersNotice, useAutosave } from '../../../web/fields/Keeping.tsx'
import { go } from '../../../web/go.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { saveRegistrationDraft, newRegistration, sendRegistration } from '../contract.ts'
import { type Kind, kinds, OWN_PATH } from '../rules.ts'
import { Filled } from './Filled.tsx'
import { reloadOwn } from './fresh.ts'

/**
 * Form for a new registration. It saves values while the person types, so that the person can continue on another
 * device.
 */
export function NewRegistration({ kind }: { kind: Kind }) {
  // Loads the draft only once. A reload could replace the values typed here with values from another device.
  const response = useResponse(newRegistration, { kind }, { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 })
  const [round, setRound] = useState(0)
  const refresh = async () => {
    await response.refetch()
    setRound((count) => count + 1)
  }
  return (
    <>
      <p className="mb-4 text-lg">{translated(kinds[kind])}</p>
      <ResponseView response={response} shape="lines" loading={<Trans>Loading questions</Trans>}>
        {(draft) => (
          <StartedForm key={draft.version} kind={kind} started={draft} round={round} refresh={() => void refresh()} />
        )}
      </ResponseView>
    </>
  )
}

interface StartedProps {
  kind: Kind
  started: ResponseOf<typeof newRegistration>
  round: number
  refresh: () => void
}

function StartedForm({ kind, started, round, refresh }: StartedProps) {
  const { definition, version, start, location, today, changes, isDraft } = started
  const local = `registration-${kind}-${version}`
  const typed = useRef<{ raw: FieldValues; location: LocationValue }>({ raw: start, location })
  const { saveState, keep, flush, others, seen } = useAutosave({
    initialValues: start,
    savedAt: null,
    local,
    send: (raw, before) =>
      call(saveRegistrationDraft, { kind, version, raw, before, location: typed.current.location }),
  })
  const keepWith = (change: Partial<typeof typed.current>) => {
    typed.current = { ...typed.current, ...change }
    keep(typed.current.raw)
  }
  const show = () => {
    seen()
    refresh()
  }
  return (
    <>
      {isDraft && (
        <p className="mb-3 text-muted">
          <Trans>You started this form earlier. Your answers are saved but not submitted yet.</Trans>
        </p>
      )}
      <Filled
        definition={definition}
        start={start}
        location={location}
        today={today}
        changes={changes}
        listedAddressOnly={started.listedAddressOnly}
        already={{ kind, those: started.already }}
        draft={local}
        keeping={{
          onKeep: (raw) => keepWith({ raw }),
          onLocation: (chosen) => keepWith({ location: chosen }),
          round,
          above: others.length > 0 && <OthersNotice others={others} onShow={() => void flush().then(show, () => {})} />,
          below: <SavedLine saveState={saveState} onRetry={() => void flush().catch(() => {})} />,
        }}
        doneLabel={<Trans>Submit registration</Trans>}
        onSend={async (where, answers) => {
          const { id, message } = await call(sendRegistration, { kind, location: where, answers })
          toast(message)
          await reloadOwn()
          go(`${OWN_PATH}?registration=${id}`)
        }}
      />
    </>
  )
}
