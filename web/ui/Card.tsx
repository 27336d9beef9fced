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
  /** Content to the right of the title, such as a link or a button. */
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

/** Card that looks like a ticket, for a guest's payment on a dark background. */
export const Ticket = ({ children, className }: { children: ReactNode; className?: string }) => (
  <div className={cx('ticket rounded-e-sm py-4 pe-4', className)}>
    <div className="ticket-body h-full px-4 py-2">{children}</div>
  </div>
)

/** Dashed line across the full width of a sheet. */
export const Perforation = () => <div aria-hidden className="perforation my-5" />

/**
 * Receipt or bill with a shadow. It prints as a whole on one page. Its children are `SheetPart`s, separated by
 * `Perforation`.
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

/** Total in bookkeeping style, with a single line above and a double line below. */
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

/** Line items of a bill or receipt, and their total. */
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

/** List of details with their names, such as account, address and due date. */
export const DetailList = ({
  details,
  className,
}: {
  details: readonly (readonly [ReactNode, ReactNode])[]
  className?: string
}) => (
  <dl className={cx('grid grid-cols-[fit-content(45%)_1fr] gap-x-4 gap-y-1 sm:gap-x-6', className)}>
    {details.map(([name, value], i) => (
      // The order of the details never changes, so the index is a safe key.
      <div key={i} className="col-span-2 grid grid-cols-subgrid">
        <dt className="text-muted">{name}</dt>
        <dd className="min-w-0 wrap-anywhere">{value}</dd>
      </div>
    ))}
  </dl>
)
