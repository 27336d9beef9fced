/** Import rules from ARCHITECTURE.md. `test/commands/test.ts` checks that the tool analyzed at least 100 modules. */

const TEST = '\\.test\\.tsx?$'
const only = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: TEST },
  // Covers only our own code. Other rules cover packages and Node's modules.
  to: {
    path: '^(shared|server|web|features|portal|gateway|bankfile|provider-kit|database|test|e2e|bin)/',
    pathNot: allowed,
  },
})

const never = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    never('no-cycles', 'A reader can follow every call by its import.', {}, { circular: true }),
    never(
      'no-unresolvable',
      'An import that leads nowhere. (What the gateway serves to browsers imports by address.)',
      { pathNot: '^provider-kit/fields/' },
      { couldNotResolve: true, pathNot: '\\.css$' },
    ),
    only(
      'shared-stands-alone',
      'shared imports only zod, obscenity, json-logic-engine and itself.',
      '^shared/',
      '^shared/',
    ),
    never(
      'shared-imports-zod-only',
      'shared imports only zod, obscenity for the profanity filter, and json-logic-engine for conditions.',
      { path: '^shared/', pathNot: TEST },
      {
        dependencyTypesNot: ['local', 'localmodule', 'undetermined'],
        pathNot: '^node_modules/(zod|obscenity|json-logic-engine)/',
      },
    ),
    only(
      'server-stands-on-shared',
      'server imports shared, and what a demo town is; features are told to it by the portal.',
      '^server/',
      '^(server|shared)/|^database/towns/town\\.ts$',
    ),
    only(
      'database-knows-no-feature',
      'The migrations and the invented towns; what of a town a feature keeps is in its demo.ts.',
      '^database/',
      '^(database|shared)/',
    ),
    only(
      'portal-lists-manifests',
      'The portal imports the manifests of features, and their parts of the demo towns.',
      '^portal/',
      '^(portal|server|web|shared|database)/|^features/[^/]+/(feature\\.ts$|demo|web/((citizen|municipality|admin)\\.ts|InField\\.tsx)$)',
    ),
    only(
      'feature-manifest',
      'A feature’s manifest imports server, shared, and what is the feature’s own.',
      '^features/([^/]+)/feature\\.ts$',
      '^(server|shared)/|^features/$1/',
    ),
    only(
      'web-stands-on-shared',
      'web imports shared; the screens of features are told to it by the portal.',
      '^web/',
      '^(web|shared)/',
    ),
    only(
      'feature-root-is-pure',
      'A feature’s root files import shared and contracts, rules and states of features.',
      '^features/[^/]+/(contract|contract-[a-z]+|stored-methods|rules|rules-[a-z]+|report|states|states-[a-z]+|list|list-[a-z]+)\\.tsx?$',
      '^shared/|^features/[^/]+/(contract|contract-[a-z]+|stored-methods|rules|rules-[a-z]+|report|states|states-[a-z]+|list|list-[a-z]+)\\.ts$',
    ),
    only(
      'feature-server',
      'features/x/server imports server, shared, its own folder, and other features’ contracts, rules and api.ts.',
      '^features/([^/]+)/(server|commands)/',
      '^(server|shared)/|^features/$1/|^features/[^/]+/(api|contract|contract-[a-z]+|stored-methods|rules|rules-[a-z]+|report|states|states-[a-z]+|list|list-[a-z]+)\\.ts$',
    ),
    never(
      'servers-are-private',
      'Another feature’s server is its own: call what its api.ts names.',
      { path: '^features/([^/]+)/', pathNot: TEST },
      { path: '^features/[^/]+/server/', pathNot: '^features/$1/' },
    ),
    never(
      'api-is-for-others',
      'Within a feature, a file imports what it needs, not the list for others.',
      { path: '^features/([^/]+)/' },
      { path: '^features/$1/api\\.ts$' },
    ),
    never(
      'payments-know-no-kind',
      'What can be paid is known by its port (features/payments/server/orders/payable.ts) alone.',
      { path: '^features/payments/', pathNot: TEST },
      { path: '^features/utility-accounts/' },
    ),
    only(
      'feature-web',
      'features/x/web imports web, shared, its own folder, other features’ contracts and rules, and their web/parts.',
      '^features/([^/]+)/web/',
      '^(web|shared)/|^features/$1/web/|^features/[^/]+/web/parts/|^features/[^/]+/(contract|contract-[a-z]+|stored-methods|rules|rules-[a-z]+|report|states|states-[a-z]+|list|list-[a-z]+)\\.ts$',
    ),
    never(
      'gateway-knows-nothing-of-us',
      'The gateway is another process and another origin.',
      { path: '^gateway/', pathNot: TEST },
      { path: '^(shared|server|web|features|portal|bankfile|database|test|e2e)/' },
    ),
    never(
      'nothing-imports-the-gateway',
      'It is reached over HTTP alone.',
      { pathNot: '^gateway/' },
      { path: '^gateway/' },
    ),
    never(
      'bankfile-knows-nothing-of-us',
      'The bank-file provider is another process and another origin; the files it writes are known to nobody else.',
      { path: '^bankfile/', pathNot: TEST },
      { path: '^(shared|server|web|features|portal|gateway|database|test|e2e)/' },
    ),
    never(
      'provider-kit-stands-alone',
      'What the processes of payment providers share knows none of them, and nothing of ours.',
      { path: '^provider-kit/', pathNot: TEST },
      { path: '^(shared|server|web|features|portal|gateway|bankfile|database|test|e2e)/' },
    ),
    never(
      'nacha-stands-alone',
      'Reader and writer of bank files are pure: they know nothing of the process around them.',
      { path: '^bankfile/nacha/', pathNot: TEST },
      { path: '^bankfile/(?!nacha/)|^provider-kit/' },
    ),
    never(
      'nothing-imports-the-bankfile',
      'It is reached over HTTP alone; the tests’ bank starts it and reads its files.',
      { pathNot: '^bankfile/|^test/(bank|fuzz\\.test)\\.ts$' },
      { path: '^bankfile/' },
    ),
    never(
      'provider-kit-is-for-providers',
      'The portal reaches them over HTTP alone.',
      { pathNot: '^(gateway|bankfile|provider-kit)/' },
      { path: '^provider-kit/' },
    ),
    never(
      'manifests-are-for-the-portal',
      'Nothing below the portal knows which features there are.',
      { path: '^(shared|server|web|features|gateway|bankfile|provider-kit|database)/', pathNot: TEST },
      { path: '^portal/|^features/[^/]+/(feature|web/(citizen|municipality|admin))\\.ts$' },
    ),
    never(
      'tests-stay-tests',
      'What runs does not import what tests.',
      { path: '^(shared|server|web|features|portal|gateway|bankfile|provider-kit|database)/', pathNot: TEST },
      { path: `^(test|e2e)/|${TEST}` },
    ),
    never(
      'browsers-get-no-node',
      'What a browser loads imports nothing of Node’s or the server’s.',
      {
        path: '^(shared/|web/(?!build/)|features/[^/]+/(web/|contract|rules|report|states|list))',
        pathNot: TEST,
      },
      { dependencyTypes: ['core'] },
    ),
    never(
      'development-packages-stay-there',
      'The server runs with its dependencies; Vite is loaded while developing alone.',
      {
        path: '^(server|portal|features/[^/]+/(server|commands)|gateway|bankfile|provider-kit|database)/',
        pathNot: `${TEST}|^(portal/main|server/pages)\\.ts$`,
      },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm'] },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.css$' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      conditionNames: ['import', 'require', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
}
