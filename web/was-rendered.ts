import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** True on the server, and in the first render of a page that the server has rendered. */
export const useWasRendered = (): boolean =>
  useSyncExternalStore(
    never,
    () => false,
    () => true,
  )
