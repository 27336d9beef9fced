declare module '*.css'

/** Vite's own, for tests that look through all files. */
interface ImportMeta {
  readonly glob: <Module>(patterns: string | readonly string[], options: object) => Record<string, Module>
}
