import type { ComponentType } from 'react'

/**
 * A part of a page that few need, and that stands among what all see: `load` is awaited before anything of it is shown, so that
 * nothing moves when it comes. What `lazy` makes keeps its place empty first, also where it is loaded already.
 */
export function earlyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let Loaded: ComponentType<Props> | null = null
  const Part = (props: Props) => Loaded && <Loaded {...props} />
  return Object.assign(Part, { load: async () => void (Loaded ??= await load()) })
}
