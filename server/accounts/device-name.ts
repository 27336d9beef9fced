/** The order decides: most browsers also name those that they descend from. */
const browsers: [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const machines: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'a Mac'],
  [/CrOS/, 'a Chromebook'],
  [/Linux|X11/, 'Linux'],
]

const first = (table: [RegExp, string][], text: string) => table.find(([pattern]) => pattern.test(text))?.[1]

/** What a browser calls itself in plain words: 'Safari on iPhone'. What is not known is not guessed. */
export function deviceName(userAgent: string): string {
  const [browser, machine] = [first(browsers, userAgent), first(machines, userAgent)]
  if (browser && machine) return `${browser} on ${machine}`
  return browser ?? (machine ? `A browser on ${machine}` : 'An unknown device')
}
