import type { ElementType, ReactNode } from 'react'
import { cx } from './cx.ts'
import { Text } from './Text.tsx'

interface CardProps {
  children: ReactNode
  className?: string
  as?: ElementType
  'aria-labelledby'?: string
}

/** A bordered surface without a shadow. */
export const Card = ({ as: As = 'section', className, ...rest }: CardProps) => (
  <As {...rest} className={cx('rounded-sm border border-line bg-surface p-5 md:p-7', className)} />
)

interface PanelProps {
  title: ReactNode
  id: string
  /** Content at the right of the title: a link, a button. */
  aside?: ReactNode
  children: ReactNode
  className?: string
}

/** A card that screen readers announce by its heading. */
export const Panel = ({ title, id, aside, children, className }: PanelProps) => (
  <Card aria-labelledby={id} {...(className && { className })}>
    <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <h2 id={id} className="text-h3">
        {title}
      </h2>
      <Text>{aside}</Text>
    </div>
    <Text>{children}</Text>
  </Card>
)

/** Ticket-style card for a guest's payment, on the deep color. */
export const Ticket = ({ children, className }: { children: ReactNode; className?: string }) => (
  <div className={cx('ticket rounded-e-sm py-4 pe-4', className)}>
    <div className="ticket-body h-full px-4 py-2">{children}</div>
  </div>
)

/** A dashed separator across a sheet without side padding. */
export const Perforation = () => <div aria-hidden className="perforation my-5" />

/**
 * A receipt or bill with a shadow, printed whole on one page. Use `SheetPart`s as children, with `Perforation` between.
 */
export const Sheet = ({ children, className }: { children: ReactNode; className?: string }) => (
  <article className={cx('paper-whole rounded-sm bg-surface py-6 shadow-overlay md:py-8 print:py-0', className)}>
    {children}
  </article>
)
export const SheetPart = ({ children }: { children: ReactNode }) => (
  <div className="px-5 md:px-8 print:px-0">{children}</div>
)

interface TotalProps {
  label: ReactNode
  amount: string
  className?: string
}

/** A total in bookkeeping style: a single rule above, a double one below. */
export const BookkeeperTotal = ({ label, amount, className }: TotalProps) => (
  <div className={cx('flex items-end justify-between gap-4 font-bold font-display text-lg', className)}>
    <span>{label}</span>
    <span className="bookkeeper min-w-32 text-end">{amount}</span>
  </div>
)

interface Line {
  id: string | number
  label: ReactNode
  amount: string
}

/** Lines of a bill or receipt, and their total. */
export const Amounts = ({ lines, total }: { lines: readonly Line[]; total?: TotalProps }) => (
  <div className="tabular-nums">
    <dl>
      {lines.map(({ id, label, amount }) => (
        <div key={id} className="flex justify-between gap-4 border-line border-b py-2 last:border-b-0">
          <dt className="min-w-0">{label}</dt>
          <dd className="shrink-0">{amount}</dd>
        </div>
      ))}
    </dl>
    {total && <BookkeeperTotal {...total} />}
  </div>
)

/** Facts with their names: account, address, due date. */
export const DetailList = ({
  details,
  className,
}: {
  details: readonly (readonly [ReactNode, ReactNode])[]
  className?: string
}) => (
  <dl className={cx('grid grid-cols-[fit-content(50%)_1fr] gap-x-6 gap-y-1', className)}>
    {details.map(([name, value], i) => (
      // The order of facts never changes, so the index is a safe key.
      <div key={i} className="col-span-2 grid grid-cols-subgrid">
        <dt className="text-muted">{name}</dt>
        <dd className="min-w-0 wrap-anywhere">{value}</dd>
      </div>
    ))}
  </dl>
)
