import type { ComponentType } from 'react'

/**
 * Creates a part of a page that few people need. The page awaits `load` before it shows anything, so that no content
 * moves later. A `lazy` component would first render empty, even if already loaded.
 */
export function earlyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let Loaded: ComponentType<Props> | null = null
  const Part = (props: Props) => Loaded && <Loaded {...props} />
  return Object.assign(Part, { load: async () => void (Loaded ??= await load()) })
}
