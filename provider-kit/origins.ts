/**
 * Returns true if an origin matches one of the patterns. For example, `http://*.localhost:3000` matches
 * `http://maplegrove.localhost:3000`.
 */
export const allowsOrigin = (patterns: readonly string[], origin: string): boolean =>
  patterns.some((pattern) => {
    const parts = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    return new RegExp(`^${parts.join('[a-z0-9.-]+')}$`, 'i').test(origin)
  })
