import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { isBuilt } from '../../shared/screens.ts'
import { page } from '../page.ts'

/** Header links of the modules, in the specification's order and spelling (2.6). */
const modules: { path: string; guests?: string; label: MessageDescriptor }[] = [
  { path: '/utility-portal', label: msg`Utilities` },
  { path: '/pay-bills', label: msg`Pay A Bill` },
  { path: '/forms-documents', label: msg`Forms & Documents` },
  { path: '/register-property', label: msg`Property Registration` },
  // Guests send requests without signing in, if the company permits it.
  { path: '/communication', guests: '/communication/new', label: msg`Communicate` },
  { path: '/reloaction', label: msg`Move In/Out` },
  { path: '/resource-rentals', label: msg`Rentals` },
  { path: '/frequently-asked-questions', label: msg`Frequently Asked Questions` },
]

/**
 * True if a header path and a module's URL match. The path '/reloaction' in the header is the module '/relocate' in the
 * data.
 */
const same = (path: string, url: string) => {
  const plain = (text: string) => text.toLowerCase().replace(/^\/?/, '/').replace('/reloaction', '/relocate')
  return plain(path) === plain(url)
}

const active = (path: string) => page().components.some(({ url, is_active }) => is_active === 1 && same(path, url))

/** True if the company has this module and it is built. */
export const hasModule = (path: string): boolean => active(path) && isBuilt(path)

/** Returns the header links: fixed ones, and the company's modules that are built. */
export const headerLinks = (signedIn: boolean) =>
  [
    { path: '/home', label: msg`Dashboard` },
    ...(signedIn ? [{ path: '/profile/activity-log', label: msg`My Activity` }] : []),
    ...modules
      .filter(({ path }) => active(path))
      .map(({ path, guests, label }) => ({ path: signedIn ? path : (guests ?? path), label })),
  ].filter(({ path }) => isBuilt(path))
