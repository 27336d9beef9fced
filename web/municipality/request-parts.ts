import type { ComponentType } from 'react'

/**
 * Parts that other features add to a request's slide-out, such as the status at another portal. Set in
 * `portal/municipality.tsx`.
 */
export const requestParts: (() => Promise<{ default: ComponentType<{ id: number }> }>)[] = []
