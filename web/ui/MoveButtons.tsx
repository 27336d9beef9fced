import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { StateMachine, StateName } from '../../shared/machine.ts'
import { translated } from '../../shared/words.ts'
import { sentenceOf } from '../call.ts'
import { Button } from './Button.tsx'
import { ConfirmDialog } from './Dialog.tsx'
import { Refusal } from './Notice.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'
import { Text } from './Text.tsx'

interface MoveButtonsProps<E extends string, B extends E> {
  of: StateMachine<StateName, E, B>
  /** From the server: what this person may press now. */
  can: Readonly<Record<B, boolean>>
  /** Takes the step. What it throws is told above the buttons, or where the reason was asked. */
  onPress: (event: B, reason?: string) => Promise<unknown>
  /** Names the thing for screen readers, if several things have these buttons. */
  about?: string
  /** For machines with steps that want a reason: what is said of such a step, and under which name a draft is kept. */
  asks?: { says?: (event: B) => ReactNode; hint?: string; draft: string }
  /** More about the effect of a step that is confirmed, such as what is open still. */
  effect?: (event: B) => ReactNode
}

/** Where a thing can go from here: a button for each step that the server says is this person's. */
export function MoveButtons<E extends string, B extends E>(props: MoveButtonsProps<E, B>) {
  const { of, can, onPress, about, asks, effect } = props
  const [pressed, setPressed] = useState<B | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  /** Ends the press that asks for a reason; null while nothing is asked. */
  const [asked, setAsked] = useState<{ event: B; close: () => void } | null>(null)
  const [confirming, setConfirming] = useState<{ event: B; end: (isMeant: boolean) => void } | null>(null)
  const place = useRef<HTMLDivElement>(null)
  const button = useRef<Element>(null)
  const isMeant = async (event: B): Promise<boolean> => {
    if (!of.steps[event].confirm) return true
    const meant = await new Promise<boolean>((end) => setConfirming({ event, end }))
    setConfirming(null)
    return meant
  }
  const press = async (event: B) => {
    button.current = document.activeElement
    setPressed(event)
    setRefusal(null)
    try {
      if (asks && of.steps[event].reason) await new Promise<void>((close) => setAsked({ event, close }))
      else if (await isMeant(event)) await onPress(event)
    } catch (error) {
      setRefusal(sentenceOf(error))
    }
    setAsked(null)
    setPressed(null)
  }
  // The button that was pressed is gone, mostly: the keyboard goes on from here, unless it has gone elsewhere meanwhile.
  useLayoutEffect(() => {
    if (!button.current || button.current.isConnected) return
    button.current = null
    if (document.activeElement === document.body) place.current?.focus()
  })
  return (
    <div ref={place} tabIndex={-1} className="mt-5 flex flex-wrap gap-2 outline-none empty:hidden">
      <Refusal className="w-full">{refusal}</Refusal>
      {of.buttons
        .filter((event) => can[event])
        .map((event) => (
          <Button
            key={event}
            size="small"
            disabled={pressed !== null && pressed !== event}
            busy={pressed === event}
            onClick={() => void press(event)}
          >
            <Text>{translated(of.steps[event].label ?? '')}</Text>
            {about && (
              <span className="spoken">
                , <Text>{about}</Text>
              </span>
            )}
          </Button>
        ))}
      {confirming && (
        <ConfirmDialog
          title={`${translated(of.steps[confirming.event].label ?? '')}?`}
          confirmLabel={translated(of.steps[confirming.event].label ?? '')}
          onConfirm={() => confirming.end(true)}
          onClose={() => confirming.end(false)}
        >
          <p>{translated(of.steps[confirming.event].confirm ?? '')}</p>
          <Text>{effect?.(confirming.event)}</Text>
        </ConfirmDialog>
      )}
      {asks && asked && (
        <ReasonDialog
          title={translated(of.steps[asked.event].label ?? '')}
          says={asks.says?.(asked.event)}
          hint={asks.hint}
          draft={`${asks.draft}:${asked.event}`}
          onReason={(reason) => onPress(asked.event, reason)}
          onClose={asked.close}
        />
      )}
    </div>
  )
}
