import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { CaseCalls } from '../../shared/cases.ts'
import { useResponse } from '../query.ts'
import { Button } from '../ui/Button.tsx'
import { Select } from '../ui/Choice.tsx'

interface SavedRepliesProps {
  of: CaseCalls
  onInsert: (text: string) => void
  onManage: () => void
}

/** Saved replies to reuse. A chosen reply is added below the typed text. */
export function SavedReplies({ of, onInsert, onManage }: SavedRepliesProps) {
  const { t } = useLingui()
  const { data } = useResponse(of.savedReplies, {})
  const [chosen, setChosen] = useState('')
  const savedReplies = data?.savedReplies ?? []
  const savedReply = savedReplies.find(({ id }) => String(id) === chosen)
  return (
    <div className="flex flex-wrap items-end gap-2">
      {savedReplies.length > 0 && (
        <>
          <Select
            className="min-w-48 flex-1"
            label={t`Saved replies`}
            placeholder={t`Choose a reply`}
            options={savedReplies.map(({ id, title }) => ({ value: String(id), label: title }))}
            value={savedReply ? chosen : ''}
            onChange={({ target }) => setChosen(target.value)}
          />
          <Button disabled={!savedReply} onClick={() => savedReply && onInsert(savedReply.text)}>
            <Trans>Insert reply</Trans>
          </Button>
        </>
      )}
      <Button onClick={onManage}>
        <Trans>Manage replies</Trans>
      </Button>
    </div>
  )
}
