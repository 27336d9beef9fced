import { Trans, useLingui } from '@lingui/react/macro'
import { MessageSquareText } from 'lucide-react'
import { useState } from 'react'
import type { RowOf } from '../../../shared/list.ts'
import { page } from '../../../web/page.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { NotFound } from '../../../web/NotFound.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { sandboxTexts } from '../list.ts'
import { PhoneSlideOut } from './PhoneSlideOut.tsx'

/** Sandbox phones of the demo, with their text messages and a form to answer as a resident. */
export default function PhonesScreen() {
  const { t } = useLingui()
  const [chosen, setChosen] = useState<RowOf<typeof sandboxTexts> | 'new' | null>(null)
  if (!page().demo) return <NotFound home="/admin" />
  return (
    <>
      <ListScreen
        of={sandboxTexts}
        rowName={({ phone }) => t`the text to or from ${phone}`}
        actions={{ view: setChosen }}
        onRow={setChosen}
        headActions={
          <Button icon={MessageSquareText} onClick={() => setChosen('new')}>
            <Trans>Send a text</Trans>
          </Button>
        }
        empty={
          <EmptyState icon={MessageSquareText} title={<Trans>No texts yet</Trans>}>
            <Trans>Texts sent to residents who opted in to text messages appear here.</Trans>
          </EmptyState>
        }
        note={
          <p className="max-w-prose text-muted text-sm">
            <Trans>
              The last four digits of the number set the outcome of the text. Texts to numbers ending in 0191 fail
              immediately. Texts to numbers ending in 0192 fail later. Texts to numbers ending in 0193 arrive after a
              minute. Numbers ending in 0194 reply STOP.
            </Trans>
          </p>
        }
      />
      {chosen && <PhoneSlideOut text={chosen === 'new' ? null : chosen} onClose={() => setChosen(null)} />}
    </>
  )
}
