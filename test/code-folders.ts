/** Folders with the project's code. */
export const CODE_FOLDERS = [
  'bin',
  'shared',
  'server',
  'web',
  'features',
  'portal',
  'gateway',
  'bankfile',
  'provider-kit',
  'database',
  'packs',
  'test',
  'e2e',
  'bench',
] as const
