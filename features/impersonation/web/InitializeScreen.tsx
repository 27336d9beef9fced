import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { messageOf } from '../../../web/call.ts'
import { go } from '../../../web/go.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { enter } from './enter.ts'

/** Start page of an impersonated session (spec 2.1, 2.3, 4.9). It shows only progress and errors. */
export default function InitializeScreen() {
  const [failure, setFailure] = useState('')
  useEffect(() => {
    enter().then(
      (href) => go(href, { replace: true }),
      (error: unknown) => setFailure(messageOf(error)),
    )
  }, [])
  return (
    <Measure className="py-12">
      <PageHead title={<Trans>Opening the portal</Trans>} />
      {failure ? (
        <Notice
          tone="danger"
          title={<Trans>Impersonation Failed</Trans>}
          className="max-w-form"
          focusable
          aside={
            <Button size="small" onClick={() => globalThis.close()}>
              <Trans>Close</Trans>
            </Button>
          }
        >
          {failure}
        </Notice>
      ) : (
        <p role="status" className="text-muted">
          <Trans>One moment. Your session is starting.</Trans>
        </p>
      )}
    </Measure>
  )
}
