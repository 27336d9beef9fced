import { Trans, useLingui } from '@lingui/react/macro'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { Button } from './Button.tsx'
import { cx } from './cx.ts'
import { FieldError } from './Field.tsx'
import { Notice } from './Notice.tsx'
import { type FieldsLine, FieldsRefused, openLine, themeOf } from './fields-channel.ts'

export interface HostedFieldsHandle {
  /** A single-use token of what was typed. What is wrong is shown here, and gets the focus. @throws {FieldsRefused} */
  tokenize: () => Promise<string>
  /** Shows what is missing or wrong, if anything. It makes no token, and the focus stays where it is. */
  check: () => Promise<void>
  /** Gives the first field the focus, as soon as it is there. */
  focus: () => void
}

interface HostedFieldsProps {
  /** Enter was pressed in one of the fields. */
  onEnter: () => void
  /** Of the card that is typed; null while it is not known. */
  onBrand?: (brand: string | null) => void
  /** Of the gateway. */
  origin: string
  /** The town's account with the gateway; empty while the gateway can't be reached. */
  account: string
  kind: 'card' | 'bank'
  ref: Ref<HostedFieldsHandle>
}

/** A gateway that says nothing for this long is not there. */
const TIMEOUT_MS = 10_000
/** The room that the fields take, side by side and one under the other (`provider-kit/fields/fields.css`): kept before they are there. */
const room = {
  card: 'h-[253px] @max-[20.5rem]:h-[362px]',
  bank: 'h-[362px] @max-[20.5rem]:h-[471px]',
}

/** The gateway's own card or bank fields, in a frame of its origin: what is typed there never reaches this page. */
export function HostedFields({ origin, account, kind, onEnter, onBrand, ref }: HostedFieldsProps) {
  const { t } = useLingui()
  const frame = useRef<HTMLIFrameElement>(null)
  const line = useRef<FieldsLine>(null)
  const told = useRef<HTMLDivElement>(null)
  const [round, setRound] = useState(0)
  const [stage, setStage] = useState<'loading' | 'ready' | 'unreachable'>('loading')
  const [height, setHeight] = useState<number>()
  const wanted = useRef(false)
  const [error, setError] = useState('')

  const [src, setSrc] = useState('')
  const enter = useRef(onEnter)
  const tellBrand = useRef(onBrand)

  useEffect(() => {
    enter.current = onEnter
    tellBrand.current = onBrand
  })
  useEffect(() => {
    if (account) setSrc(`${origin}/fields/${kind}?${new URLSearchParams({ parent: location.origin, account })}`)
    else setStage('unreachable')
  }, [origin, account, kind])
  useEffect(() => {
    const element = frame.current
    if (!element || stage === 'unreachable') return
    const opened = openLine(element, origin, themeOf(element), {
      onReady: () => {
        setStage('ready')
        if (wanted.current) requestAnimationFrame(() => opened.focus())
        wanted.current = false
      },
      onChange: (state) => {
        tellBrand.current?.(state.brand)
        // A field that only loses the focus corrects nothing.
        if (state.typed) setError('')
      },
      onHeight: (pixels) => setHeight(Math.max(40, Math.min(pixels, 900))),
      onEnter: () => enter.current(),
    })
    line.current = opened
    const timer = setTimeout(() => setStage((now) => (now === 'loading' ? 'unreachable' : now)), TIMEOUT_MS)
    return () => {
      clearTimeout(timer)
      opened.close()
    }
    // A frame that answered keeps its line: the stage is no reason to open another.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [origin, src, round])

  const notThere = () => t`The card or bank fields are not there yet. Nothing was charged.`
  const handle: HostedFieldsHandle = {
    focus: () => {
      if (stage === 'ready') line.current?.focus()
      else wanted.current = true
    },
    check: async () => {
      setError(line.current && stage === 'ready' ? await line.current.check() : notThere())
    },
    tokenize: async () => {
      setError('')
      try {
        if (!line.current || stage !== 'ready') throw new FieldsRefused(notThere())
        return await line.current.tokenize()
      } catch (failure) {
        if (failure instanceof FieldsRefused) {
          setError(failure.message)
          if (stage === 'ready') line.current?.focus(failure.field)
          else told.current?.focus()
        }
        throw failure
      }
    },
  }
  useImperativeHandle(ref, () => handle)

  return (
    <div className="@container flex flex-col gap-2">
      <div
        className={cx('relative', room[kind])}
        style={{ height: stage === 'unreachable' ? undefined : height }}
        {...(error && { 'data-error': 'hosted-fields-error' })}
      >
        {stage === 'loading' && (
          <div role="status" className="absolute inset-0 flex flex-col gap-3">
            <p className="text-muted text-sm">
              {kind === 'card' ? (
                <Trans>Loading the secure card fields…</Trans>
              ) : (
                <Trans>Loading the secure bank fields…</Trans>
              )}
            </p>
            <div aria-hidden className="skeleton h-12" />
            <div aria-hidden className="grid grid-cols-2 gap-3">
              <div className="skeleton h-12" />
              <div className="skeleton h-12" />
            </div>
          </div>
        )}
        {stage === 'unreachable' ? (
          <Notice tone="danger" title={<Trans>The secure payment fields cannot be reached</Trans>}>
            <p>
              <Trans>Nothing was charged. Check your connection, then load them again.</Trans>
            </p>
            <Button
              size="small"
              className="mt-2"
              onClick={() => {
                setStage('loading')
                setRound(round + 1)
              }}
            >
              <Trans>Load again</Trans>
            </Button>
          </Notice>
        ) : (
          src && (
            <iframe
              key={round}
              src={src}
              ref={frame}
              title={kind === 'card' ? t`Card details` : t`Bank account details`}
              // Its own origin's storage and script, no more: it can't move this page.
              sandbox="allow-scripts allow-same-origin allow-forms"
              // The fields keep room for their focus ring around them; their edges shall stand in line with ours.
              className={cx(
                'relative -ms-1.5 block h-full w-[calc(100%+0.75rem)] max-w-none border-0 bg-transparent',
                stage === 'loading' && 'invisible',
              )}
            />
          )
        )}
      </div>
      <div ref={told} role="alert" tabIndex={-1}>
        <FieldError id="hosted-fields">{error || undefined}</FieldError>
      </div>
    </div>
  )
}
