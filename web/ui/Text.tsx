import { Children, type ReactNode } from 'react'

/**
 * Wraps bare text in a separate element. Returns other content unchanged. Browser translators replace text nodes. After
 * that, React can update or remove a text only if its element contains nothing else (`test/translated-pages.test.ts`).
 */
export const Text = ({ children }: { children: ReactNode }) =>
  typeof children === 'string' || typeof children === 'number' ? <span>{children}</span> : children

/** A number, code, address or name, excluded from browser translation. */
export const Code = ({ children, className }: { children: string | number; className?: string }) => (
  <span translate="no" className={className}>
    {children}
  </span>
)

const AMOUNT = /([-−]?\$\d[\d,]*(?:\.\d\d)?)/

const withAmounts = (text: string): ReactNode =>
  text.split(AMOUNT).map((part, n) =>
    part && n % 2 ? (
      <span key={n} translate="no">
        {part}
      </span>
    ) : (
      part && <span key={n}>{part}</span>
    ),
  )

/**
 * Wrapper for the content of each `<Trans>`. Each text is the only child of its element, and amounts stay untranslated.
 */
export const Message = ({ children }: { children?: ReactNode }) =>
  typeof children === 'string' ? (
    <span>{AMOUNT.test(children) ? withAmounts(children) : children}</span>
  ) : (
    <span>
      {Children.map(children, (part) =>
        typeof part !== 'string' ? part : part.trim() ? <span>{withAmounts(part)}</span> : part,
      )}
    </span>
  )
