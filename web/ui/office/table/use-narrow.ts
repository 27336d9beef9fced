import { useMedia } from '../../use-media.ts'

/** True if the window is as narrow as a phone, where a table becomes cards. */
export const useNarrow = (): boolean => useMedia('(max-width: 39.99rem)')
