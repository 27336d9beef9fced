import { say } from '../../shared/messages.ts'
/**
 * Browser patterns in order of priority. The user agent of most browsers also names the browser that they derive from.
 * So derived browsers come first.
 */
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

/** Names a browser in plain words: 'Safari on iPhone'. Omits the parts that it does not recognize. */
export function deviceName(userAgent: string): string {
  const [browser, machine] = [first(browsers, userAgent), first(machines, userAgent)]
  if (browser && machine) return say`${browser} on ${machine}`
  return browser ?? (machine ? say`A browser on ${machine}` : say`An unknown device`)
}
