import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { RequestInputOf, ResponseOf } from '../../../shared/endpoint.ts'
import { call, messageOf } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Notice, Refusal } from '../../../web/ui/Notice.tsx'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { Differences, type Side } from '../../shared-records/web/parts/Differences.tsx'
import { compareStarterPack, starterPacks, updateStarterItem } from '../contract.ts'

type Item = ResponseOf<typeof compareStarterPack>['items'][number]
type PackBody = RequestInputOf<typeof compareStarterPack>

/** Panel with the items of a starter pack that have a newer text. Staff take each one or keep their own. */
export function NewerTexts({ label, body, onClose }: { label: string; body: PackBody; onClose: () => void }) {
  return (
    <ResponseSlideOut
      title={label}
      onClose={onClose}
      response={useResponse(compareStarterPack, body)}
      loading={<Trans>Comparing the items</Trans>}
    >
      {({ items }) =>
        items.length === 0 ? (
          <Notice tone="success" title={<Trans>All items have the newest text</Trans>} arrives>
            <Trans>Your items already have the texts of this pack.</Trans>
          </Notice>
        ) : (
          <div className="flex flex-col gap-8">
            <p className="text-muted">
              <Trans>
                These items have a newer text in the pack. Your own changes stay, unless you choose the new text.
              </Trans>
            </p>
            {items.map((item) => (
              // A changed digest means other differences, so the choices start again.
              <NewerItem key={item.key + item.digest} item={item} body={body} />
            ))}
          </div>
        )
      }
    </ResponseSlideOut>
  )
}

function NewerItem({ item: { key, title, differences, digest }, body }: { item: Item; body: PackBody }) {
  const { t } = useLingui()
  const [choices, setChoices] = useState<Readonly<Record<string, Side>>>({})
  const [unchosen, setUnchosen] = useState(false)
  const [busy, setBusy] = useState<'take' | 'keep' | null>(null)
  const [refusal, setRefusal] = useState('')
  const save = async (take: boolean) => {
    setRefusal('')
    if (take && differences.some(({ part, isConflict }) => isConflict && !choices[part])) {
      setUnchosen(true)
      setRefusal(t`Choose a text for each part that you changed too.`)
      return
    }
    setBusy(take ? 'take' : 'keep')
    try {
      const { message } = await call(updateStarterItem, { ...body, key, take, choices: take ? choices : {}, digest })
      toast(message)
      await Promise.all([reload(compareStarterPack), reload(starterPacks)])
    } catch (error) {
      setRefusal(messageOf(error))
      await reload(compareStarterPack)
    }
    setBusy(null)
  }
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h3 className="wrap-anywhere text-lg">{title}</h3>
      <Differences
        differences={differences}
        conflicts={{
          choices,
          unchosen,
          onChoose: (part, side) => setChoices((before) => ({ ...before, [part]: side })),
        }}
      />
      <Refusal>{refusal}</Refusal>
      <div className="flex flex-wrap gap-3">
        <Button
          variant="primary"
          aria-label={t`Take the newer text: ${title}`}
          busy={busy === 'take'}
          disabled={busy === 'keep'}
          onClick={() => void save(true)}
        >
          <Trans>Take the newer text</Trans>
        </Button>
        <Button
          aria-label={t`Keep my text: ${title}`}
          busy={busy === 'keep'}
          disabled={busy === 'take'}
          onClick={() => void save(false)}
        >
          <Trans>Keep my text</Trans>
        </Button>
      </div>
    </section>
  )
}
