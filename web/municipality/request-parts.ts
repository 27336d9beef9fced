import type { ComponentType } from 'react'

/** Parts of other features in a request's slide-out, such as its status at another portal. Set by the portal. */
export const requestParts: (() => Promise<{ default: ComponentType<{ id: number }> }>)[] = []
