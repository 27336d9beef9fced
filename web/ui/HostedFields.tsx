import { useLingui } from '@lingui/react/macro'
import { type Ref, useEffect, useImperativeHandle, useRef, useState, useEffectEvent } from 'react'
import { cx } from './cx.ts'
import { FieldError } from './Field.tsx'
import { type FieldsLine, FieldsRefused, openLine, themeOf } from './fields-channel.ts'
import { FieldsLoading, FieldsUnreachable } from './FieldsStates.tsx'

export interface HostedFieldsHandle {
  /**
   * Creates a single-use token for the entered details. If the details are invalid, shows and focuses the error.
   * @throws {FieldsRefused}
   */
  tokenize: () => Promise<string>
  /** Shows missing or invalid fields. Creates no token and does not move the focus. */
  check: () => Promise<void>
  /** Focuses the first field as soon as it is loaded. */
  focus: () => void
}

interface HostedFieldsProps {
  /** Called when the person presses Enter in a field. */
  onEnter: () => void
  /** Called with the brand of the typed card. Null while the brand is unknown. */
  onBrand?: (brand: string | null) => void
  /** Origin of the provider's hosted fields. */
  origin: string
  /** The company's account with the provider. Empty while the provider cannot be reached. */
  account: string
  kind: 'card' | 'bank'
  ref: Ref<HostedFieldsHandle>
}

/** Time limit for loading the provider's frame, in milliseconds. After that, the fields count as unreachable. */
const TIMEOUT_MS = 10_000
/**
 * CSS classes that reserve the height of the fields before they load, whether side by side or stacked
 * (`provider-kit/fields/fields.css`).
 */
const room = {
  card: 'h-[253px] @max-[20.5rem]:h-[362px]',
  bank: 'h-[362px] @max-[20.5rem]:h-[471px]',
}

/** Hosted card or bank fields in a frame of the provider's origin. The entered details never reach this page. */
export function HostedFields(props: HostedFieldsProps) {
  const { kind, ref } = props
  const { t } = useLingui()
  const notice = useRef<HTMLDivElement>(null)
  const [error, setError] = useState('')
  const { frame, line, src, round, stage, height, focus, retry } = useFrame(props, () => setError(''))
  const notThere = () =>
    t`The card or bank fields have not loaded yet. Nothing was charged. Wait a moment, then try again.`
  const handle: HostedFieldsHandle = {
    focus,
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
          else notice.current?.focus()
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
              <FieldsLoading kind={kind} />
            </p>
            <div aria-hidden className="skeleton h-12" />
            <div aria-hidden className="grid grid-cols-2 gap-3">
              <div className="skeleton h-12" />
              <div className="skeleton h-12" />
            </div>
          </div>
        )}
        {stage === 'unreachable' ? (
          <FieldsUnreachable onRetry={retry} />
        ) : (
          src && (
            <iframe
              key={round}
              src={src}
              ref={frame}
              title={kind === 'card' ? t`Card details` : t`Bank account details`}
              // The frame may run scripts, send forms and use its own storage. It cannot navigate this page.
              sandbox="allow-scripts allow-same-origin allow-forms"
              // The fields have a margin for their focus ring. The negative margin here aligns their edges with the
              // page's fields.
              className={cx(
                'relative -ms-1.5 block h-full w-[calc(100%+0.75rem)] max-w-none border-0 bg-transparent',
                stage === 'loading' && 'invisible',
              )}
            />
          )
        )}
      </div>
      <div ref={notice} role="alert" tabIndex={-1}>
        <FieldError id="hosted-fields">{error || undefined}</FieldError>
      </div>
    </div>
  )
}

/** Opens the provider's frame and its channel. `onTyped` runs when the person changes a field. */
function useFrame({ origin, account, kind, onEnter, onBrand }: HostedFieldsProps, onTyped: () => void) {
  const frame = useRef<HTMLIFrameElement>(null)
  const line = useRef<FieldsLine>(null)
  const [round, setRound] = useState(0)
  const [stage, setStage] = useState<'loading' | 'ready' | 'unreachable'>('loading')
  const [height, setHeight] = useState<number>()
  const wantsFocus = useRef(false)

  const [src, setSrc] = useState('')
  const enter = useRef(onEnter)
  const notifyBrand = useRef(onBrand)
  const typing = useEffectEvent(onTyped)

  useEffect(() => {
    enter.current = onEnter
    notifyBrand.current = onBrand
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
        if (wantsFocus.current) requestAnimationFrame(() => opened.focus())
        wantsFocus.current = false
      },
      onChange: (state) => {
        notifyBrand.current?.(state.brand)
        // Only a changed value clears the error, because leaving the field does not correct it.
        if (state.typed) typing()
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
    // The effect ignores `stage`, so that a frame that answered keeps its channel.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [origin, src, round])
  return {
    frame,
    line,
    src,
    /** Key of the frame. A retry changes the key, which replaces the frame. */
    round,
    stage,
    height,
    focus: () => {
      if (stage === 'ready') line.current?.focus()
      else wantsFocus.current = true
    },
    retry: () => {
      setStage('loading')
      setRound(round + 1)
    },
  }
}
