import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ShoppingCart } from 'lucide-react'
import { useId } from 'react'
import { screenAt } from '../../shared/screens.ts'
import { isOpen } from '../modules.ts'
import { page } from '../page.ts'
import { useOpenCart } from '../cart.ts'
import { LazyContent, type LazyPart } from '../lazy-panel.tsx'
import { usePath } from '../routes.tsx'
import { isResident, useSession } from '../session.ts'
import { signOut } from '../sign-out.ts'
import { LinkButton } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { Disclosure, MenuButton, useDisclosure } from '../ui/Disclosure.tsx'
import { Logo } from '../ui/Emblem.tsx'
import { Link } from '../ui/Link.tsx'
import { Measure } from '../ui/Page.tsx'
import { hasModule, headerLinks } from './links.ts'

/** Logo and name of the municipality, linked to the home page. */
export const Brand = ({ crowded = false }: { crowded?: boolean }) => (
  <Link to="/home" className="flex min-w-0 items-center gap-3 rounded-sm text-ink">
    <Logo
      url={page().company?.logoUrl ?? null}
      name={page().siteName}
      {...(crowded && { className: 'max-[27rem]:hidden' })}
    />
    <span translate="no" className="min-w-min shrink-[9] font-bold font-display text-h3 leading-tight max-md:text-lg">
      {page().siteName}
    </span>
  </Link>
)

/** More links than this need a separate row. */
const ONE_ROW = 5

/** The top bar (spec 2.6). Below 1024 px the links are behind a button. */
export function Header({ chat, search }: { chat: LazyPart; search: LazyPart }) {
  const id = useId()
  const { t } = useLingui()
  const session = useSession()
  const menu = useDisclosure({ stays: true })
  const { open, container } = menu
  const cart = useOpenCart()
  const links = headerLinks(session !== null)
  const twoRows = links.length > ONE_ROW
  const account = (
    <div
      data-menu
      className={cx('flex items-center gap-3 folded:basis-full', !twoRows && 'desk:order-2', !open && 'folded:hidden')}
    >
      {session ? <ProfileMenu /> : <SignedOut />}
    </div>
  )
  const chats = session !== null && isResident(session) && hasModule('/communication')
  return (
    <header ref={container} className="border-line border-b bg-surface print:hidden">
      <Measure className="flex flex-wrap items-center gap-x-3 gap-y-3 py-3 desk:gap-x-6 desk:py-0">
        <div className="flex min-w-0 flex-1 items-center desk:min-h-19 desk:flex-none">
          <Brand crowded={chats} />
        </div>
        <div className={cx('flex shrink-0', twoRows ? 'desk:ms-auto' : 'desk:order-1')}>
          {isOpen('/frequently-asked-questions') && <LazyContent load={search} className="size-11" />}
          <CartLink count={cart?.count ?? 0} />
          {chats && <LazyContent key={session.userId} load={chat} className="size-11" />}
        </div>
        <MenuButton id={id} of={menu} className="desk:hidden max-[27rem]:gap-0 max-[27rem]:px-2.5" crowded />
        {twoRows && account}
        <nav
          id={id}
          data-menu
          aria-label={t`Main`}
          className={cx(
            'basis-full desk:flex',
            !twoRows && 'desk:ms-auto desk:basis-auto desk:self-stretch',
            !open && 'folded:hidden',
          )}
        >
          <ul className="flex flex-col border-line folded:border-t folded:pt-2 desk:flex-row desk:flex-wrap">
            {links.map(({ path, label }) => (
              <NavLink key={path} to={path}>
                {t(label)}
              </NavLink>
            ))}
          </ul>
        </nav>
        {!twoRows && account}
      </Measure>
    </header>
  )
}

/** Link to the cart. It is also shown when empty, so that adding an item moves no content. */
const CartLink = ({ count }: { count: number }) => (
  <Link to="/cart" className="relative grid size-11 place-items-center rounded-sm text-ink hover:bg-tint">
    <ShoppingCart size={22} aria-hidden />
    <span className="spoken">
      <Plural value={count} _0="Cart, empty" one="Cart, # item" other="Cart, # items" />
    </span>
    {count > 0 && (
      <span
        aria-hidden
        className="absolute end-0 top-0 min-w-5 rounded-full bg-brand px-1 text-center font-bold text-on-brand text-xs leading-5"
      >
        {count}
      </span>
    )}
  </Link>
)

function NavLink({ to, children }: { to: string; children: string }) {
  const screen = screenAt(usePath())?.path
  const active = screen === screenAt(to)?.path || (to === '/home' && screen === '/')
  return (
    <li className="flex">
      <Link
        to={to}
        aria-current={active ? 'page' : undefined}
        className={cx(
          'flex w-full items-center border-transparent px-3 py-2 font-bold text-ink text-sm hover:border-edge desk:px-2',
          'folded:border-s-4 desk:min-h-14 desk:border-b-3 desk:pt-2.75',
          active ? 'border-link! forced-colors:border-[Highlight]!' : 'forced-colors:border-[Canvas]',
        )}
      >
        {children}
      </Link>
    </li>
  )
}

const SignedOut = () => (
  <>
    <LinkButton to="/sign-in" variant="quiet">
      <Trans>Sign In</Trans>
    </LinkButton>
    <LinkButton to="/sign-up" variant="primary">
      <Trans>Sign Up</Trans>
    </LinkButton>
  </>
)

const item = 'focus-inside flex min-h-10 w-full items-center px-4 py-2 text-start text-ink hover:bg-tint'

const ProfileMenu = () => (
  <Disclosure label={<Trans>My Profile</Trans>}>
    <ul>
      <li>
        <Link to="/profile/activity-log" className={item}>
          <Trans>Activity Log</Trans>
        </Link>
      </li>
      <li>
        <Link to="/profile/settings" className={item}>
          <Trans>Settings</Trans>
        </Link>
      </li>
      <li>
        <button type="button" className={item} onClick={() => void signOut('/sign-in')}>
          <Trans>Sign Out</Trans>
        </button>
      </li>
    </ul>
  </Disclosure>
)
