import type { ComponentType } from 'react'

/** What other features show of a request at the desk, such as what became of it at another portal. The portal names them. */
export const requestParts: (() => Promise<{ default: ComponentType<{ id: number }> }>)[] = []
