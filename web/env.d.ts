declare module '*.css'

/** Type of Vite's `glob` function, for tests that read all files. */
interface ImportMeta {
  readonly glob: <Module>(patterns: string | readonly string[], options: object) => Record<string, Module>
}
