import { Trans } from '@lingui/react/macro'
import { type ReactElement, useEffect, useRef, useState } from 'react'

/**
 * Delay after the last keystroke before a suggestion appears, in milliseconds. It is so short that the browser still
 * counts the layout shift as caused by the input.
 */
const PAUSE_MS = 400

/** Wraps an email input, and suggests the usual spelling of a mistyped email provider. */
export function NearEmail({ children }: { children: ReactElement }) {
  const container = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [near, setNear] = useState<string | null>(null)
  useEffect(() => {
    if (typed === '') {
      setNear(null)
      return
    }
    let isCurrent = true
    const timer = setTimeout(
      // Loaded on demand, because most pages never need this code. Without a connection, nothing is suggested.
      () =>
        void import('../../shared/near-email.ts').then(
          ({ nearEmail }) => isCurrent && setNear(nearEmail(typed)),
          () => {},
        ),
      PAUSE_MS,
    )
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [typed])
  const accept = () => {
    const input = container.current?.querySelector('input')
    if (!input || near === null) return
    // React notices only a change that the browser's own setter makes.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, near)
    input.dispatchEvent(new Event('input', { bubbles: true }))
    setNear(null)
    input.focus()
  }
  return (
    <div ref={container} onInput={({ target }) => target instanceof HTMLInputElement && setTyped(target.value)}>
      {children}
      <p role="status" className="mt-1 text-sm empty:hidden">
        {near && (
          <Trans>
            Did you mean{' '}
            <button type="button" className="link wrap-anywhere" onClick={accept}>
              {near}
            </button>
            ?
          </Trans>
        )}
      </p>
    </div>
  )
}
