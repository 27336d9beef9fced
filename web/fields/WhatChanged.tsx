import { Trans } from '@lingui/react/macro'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'

/** Notice for people who return to a draft after staff published a new version of the form. */
export const WhatChanged = ({ changes, onSeen }: { changes: readonly string[]; onSeen: (() => void) | undefined }) =>
  changes.length === 0 ? null : (
    <Notice
      tone="warning"
      className="mb-5"
      title={<Trans>These questions changed after you started. We saved the answers that are still valid.</Trans>}
    >
      <ul className="my-2 list-disc ps-5">
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      {onSeen && (
        <Button size="small" onClick={onSeen}>
          <Trans>I have read the changes</Trans>
        </Button>
      )}
    </Notice>
  )
