import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import { call, messageOf } from '../../../web/call.ts'
import { reload } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { Notice, Refusal } from '../../../web/ui/Notice.tsx'
import { PhoneField } from '../../../web/ui/PhoneField.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { playCall } from '../contract.ts'
import { phoneCalls } from '../list.ts'

type PlayCallResponse = ResponseOf<typeof playCall>
interface Line {
  speaker: 'portal' | 'caller'
  text: string
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const
const MOMENT_MS = 1500

/** Manages a simulated call to the portal, step by step. */
function useTestCall() {
  const { t } = useLingui()
  const [phone, setPhone] = useState('')
  const [problem, setProblem] = useState('')
  const [spokenStep, setSpokenStep] = useState<PlayCallResponse | null>(null)
  const [lines, setLines] = useState<readonly Line[]>([])
  const [keys, setKeys] = useState('')
  const [busy, setBusy] = useState(false)
  const callId = useRef('')

  const takeStep = async (at: number, keyed: string, keyText: string) => {
    setBusy(true)
    setProblem('')
    setKeys('')
    try {
      const response = await call(playCall, {
        callId: callId.current,
        phone: nationalDigits(phone),
        stepNo: at,
        keys: keyed,
      })
      const heard = response.text.map((text) => ({ speaker: 'portal', text }) as const)
      setLines((before) => [...before, ...(keyText ? [{ speaker: 'caller', text: keyText } as const] : []), ...heard])
      setSpokenStep(response)
      if (response.expects === 'end') await reload(phoneCalls.call)
    } catch (error) {
      setProblem(messageOf(error))
    }
    setBusy(false)
  }
  useEffect(() => {
    if (spokenStep?.expects !== 'moment' || busy) return
    const timer = setTimeout(() => void takeStep(spokenStep.stepNo, '', ''), MOMENT_MS)
    return () => clearTimeout(timer)
  })

  const ring = () => {
    if (!/^\d{10}$/.test(nationalDigits(phone))) return setProblem(t`Enter the caller’s ten-digit phone number.`)
    callId.current = crypto.randomUUID()
    setLines([])
    void takeStep(0, '', '')
  }
  const send = (keyed: string) => {
    // Hides the PIN from people who can see the screen.
    const isPin = lines.at(-1)?.text.includes('PIN') === true
    // Ignores keys while the next step loads, because they would count as input for the previous step.
    if (spokenStep && !busy) void takeStep(spokenStep.stepNo, keyed, isPin ? keyed.replaceAll(/\d/g, '•') : keyed)
  }
  const pressKey = (key: string) => {
    if (spokenStep?.expects === 'key') return send(key)
    if (key === '#') return send(keys)
    setKeys(keys + key)
  }
  return { phone, setPhone, problem, spokenStep, lines, keys, setKeys, busy, ring, send, pressKey }
}

/** Simulated call, with a keypad and the messages that the caller hears. */
export function PlayCall({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const { phone, setPhone, problem, spokenStep, lines, keys, setKeys, busy, ring, send, pressKey } = useTestCall()
  const transcript = useRef<HTMLOListElement>(null)
  useEffect(() => {
    transcript.current?.scrollTo({ top: transcript.current.scrollHeight })
  }, [lines])
  const isTalking = spokenStep !== null && spokenStep.expects !== 'end'
  return (
    <SlideOut title={<Trans>Simulate a call</Trans>} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Notice>
          <Trans>TEST: this is the sandbox. No money moves, and no one is called.</Trans>
        </Notice>
        <Refusal>{isTalking ? problem : ''}</Refusal>
        {!isTalking && (
          <form
            noValidate
            className="flex flex-wrap items-end gap-3"
            onSubmit={(event) => {
              event.preventDefault()
              ring()
            }}
          >
            <PhoneField
              label={t`Caller’s phone number`}
              autoComplete="off"
              value={phone}
              error={problem || undefined}
              onChange={(event) => setPhone(event.target.value)}
            />
            <Button type="submit" variant="primary" busy={busy}>
              <Trans>Call</Trans>
            </Button>
          </form>
        )}
        <ol
          ref={transcript}
          // A scrollable list must be reachable by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          aria-live="polite"
          aria-label={t`Call transcript`}
          className="flex max-h-80 flex-col gap-2 overflow-y-auto empty:hidden"
        >
          {lines.map(({ speaker, text }, n) => (
            <li
              // oxlint-disable-next-line react/no-array-index-key -- lines are only appended, never moved
              key={n}
              className={speaker === 'caller' ? 'self-end rounded-sm bg-tint px-3 py-1 font-bold tabular-nums' : ''}
            >
              {speaker === 'caller' ? <Trans>Entered: {text}</Trans> : text}
            </li>
          ))}
        </ol>
        {isTalking && (
          <form
            noValidate
            className="flex flex-col gap-3"
            onSubmit={(event) => {
              event.preventDefault()
              send(keys)
            }}
          >
            <TextField
              label={t`Keys`}
              hint={spokenStep.expects === 'key' ? t`Press one key.` : t`Press one or more keys, then pound or Enter.`}
              inputMode="tel"
              autoComplete="off"
              value={keys}
              onChange={(event) => setKeys(event.target.value.replaceAll(/[^\d*]/g, '').slice(0, 40))}
            />
            <div className="grid max-w-60 grid-cols-3 gap-2">
              {KEYS.map((key) => (
                <Button key={key} disabled={busy} onClick={() => pressKey(key)}>
                  {key}
                </Button>
              ))}
            </div>
          </form>
        )}
      </div>
    </SlideOut>
  )
}
