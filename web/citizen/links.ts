import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { isBuilt } from '../../shared/screens.ts'
import { boot } from '../boot.ts'

/** The modules' links in the header, in the specification's order and spelling (2.6). */
const modules: { path: string; guests?: string; label: MessageDescriptor }[] = [
  { path: '/utility-portal', label: msg`Utilities` },
  { path: '/pay-bills', label: msg`Pay A Bill` },
  { path: '/forms-documents', label: msg`Forms & Documents` },
  { path: '/register-property', label: msg`Property Registration` },
  // Who is not signed in reports as a guest, where the town allows it.
  { path: '/communication', guests: '/communication/new', label: msg`Communicate` },
  { path: '/reloaction', label: msg`Move In/Out` },
  { path: '/resource-rentals', label: msg`Rentals` },
  { path: '/frequently-asked-questions', label: msg`Frequently Asked Questions` },
]

/** '/reloaction' in the header is the module that the data calls '/relocate'. */
const same = (path: string, url: string) => {
  const plain = (text: string) => text.toLowerCase().replace(/^\/?/, '/').replace('/reloaction', '/relocate')
  return plain(path) === plain(url)
}

const active = (path: string) => boot.components.some(({ url, is_active }) => is_active === 1 && same(path, url))

/** Does the town have this module, and is it built? */
export const hasModule = (path: string): boolean => active(path) && isBuilt(path)

/** What the header shows: fixed links, and those modules that the town has and that are built. */
export const headerLinks = (signedIn: boolean) =>
  [
    { path: '/home', label: msg`Dashboard` },
    ...(signedIn ? [{ path: '/profile/activity-log', label: msg`My Activity` }] : []),
    ...modules
      .filter(({ path }) => active(path))
      .map(({ path, guests, label }) => ({ path: signedIn ? path : (guests ?? path), label })),
  ].filter(({ path }) => isBuilt(path))
