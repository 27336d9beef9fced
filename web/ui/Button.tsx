import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react'
import { isClosed } from '../modules.ts'
import { cx } from './cx.ts'
import { Link } from './Link.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger' | 'on-deep'

const appearances: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-brand text-on-brand hover:bg-brand-hover',
  secondary: 'border-edge bg-surface text-ink hover:bg-tint hover:border-link',
  quiet: 'border-transparent text-link underline underline-offset-4 decoration-1 hover:bg-tint hover:decoration-2',
  danger: 'border-transparent bg-danger text-white hover:bg-ink',
  'on-deep': 'border-on-deep-soft text-white hover:bg-white hover:text-deep',
}

const base =
  'inline-flex items-center justify-center gap-2 rounded-sm border font-bold leading-tight text-center transition-colors ' +
  'disabled:opacity-60 disabled:cursor-not-allowed aria-disabled:cursor-progress print:hidden'
const sizes = { normal: 'min-h-(--control) px-4 py-2', small: 'min-h-8 px-3 py-1 text-sm' }

interface ButtonStyle {
  variant?: ButtonVariant
  size?: 'normal' | 'small'
  icon?: LucideIcon
  /** True to fill the available width. */
  wide?: boolean
}

const classes = ({ variant = 'secondary', size = 'normal', wide }: ButtonStyle, more?: string) =>
  cx(base, sizes[size], appearances[variant], wide && 'w-full', more)

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, ButtonStyle {
  /** True while an action runs. The button then keeps its size and focus and ignores presses. */
  busy?: boolean
  /** Label while the action runs: 'Signing in...'. */
  busyLabel?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

/** Button with a label that names the action: "Pay $149.31". It submits a form only with `type="submit"`. */
export function Button({
  variant,
  size,
  icon: Icon,
  wide,
  busy,
  busyLabel,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const icon = Icon && <Icon size={18} aria-hidden className="shrink-0" />
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => (busy ? event.preventDefault() : onClick?.(event))
  return (
    <button
      type="button"
      aria-disabled={busy || undefined}
      {...rest}
      className={classes({ variant, size, wide }, className)}
      onClick={handleClick}
    >
      {wide ? (
        // The label stays in place while the button is busy, so that nothing moves when it appears again. The full width
        // keeps a longer busy label from moving the line.
        <span className="grid w-full place-items-center *:col-start-1 *:row-start-1">
          <span className={cx(content, busy && 'invisible')}>
            {icon}
            <span>{children}</span>
          </span>
          {busy && (
            <span className={content}>
              <Spinner />
              <span>{busyLabel ?? children}</span>
            </span>
          )}
        </span>
      ) : (
        <>
          {busy ? <Spinner /> : icon}
          <span>{busy ? (busyLabel ?? children) : children}</span>
        </>
      )}
    </button>
  )
}

const content = 'inline-flex items-center justify-center gap-2'

const Spinner = () => (
  <span
    aria-hidden
    className="size-4 shrink-0 animate-[turn_700ms_linear_infinite] rounded-full border-2 border-current border-r-transparent"
  />
)

interface LinkButtonProps extends ButtonStyle {
  to: string
  children: ReactNode
  className?: string
  target?: string
}

/** A link that looks like a button, for navigation. Not shown if the module of the screen is off. */
export const LinkButton = ({ variant, size, icon: Icon, wide, className, children, ...rest }: LinkButtonProps) =>
  !isClosed(rest.to) && (
    <Link {...rest} className={cx(classes({ variant, size, wide }, className), 'no-underline')}>
      {Icon && <Icon size={18} aria-hidden className="shrink-0" />}
      <span>{children}</span>
    </Link>
  )

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'children'> {
  icon: LucideIcon
  /** Name of the action, for screen readers and the tooltip. */
  label: string
  ref?: Ref<HTMLButtonElement>
}

/** Button with only an icon. It is 32 px wide, so that several fit in a table row. */
export const IconButton = ({ icon: Icon, label, className, ...rest }: IconButtonProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    {...rest}
    className={cx(
      'inline-grid size-8 shrink-0 place-items-center rounded-sm border border-transparent text-link transition-colors hover:bg-tint-2',
      'disabled:cursor-not-allowed disabled:text-muted disabled:hover:bg-transparent print:hidden',
      className,
    )}
  >
    <Icon size={18} aria-hidden />
  </button>
)
