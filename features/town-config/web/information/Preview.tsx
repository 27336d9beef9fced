import type { CSSProperties, ReactNode } from 'react'
import type { Theme } from '../../../../shared/theme.ts'

interface PreviewProps {
  /** Colors of the company. The surrounding page keeps the administrator's colors. */
  tokens: Theme['tokens']
  title: ReactNode
  children: ReactNode
}

/** Preview of the company's pages in its colors. Its links and buttons do nothing. */
export const Preview = ({ tokens, title, children }: PreviewProps) => (
  <div className="min-w-0 lg:sticky lg:top-6">
    <h3 className="mb-2 text-tile">{title}</h3>
    <div
      inert
      style={Object.fromEntries(Object.entries(tokens).map(([token, color]) => [`--${token}`, color])) as CSSProperties}
      className="rounded-sm border border-line bg-paper p-4 text-ink"
    >
      {children}
    </div>
  </div>
)
