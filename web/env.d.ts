declare module '*.css'

/** Vite's function, for tests that read all files. */
interface ImportMeta {
  readonly glob: <Module>(patterns: string | readonly string[], options: object) => Record<string, Module>
}
