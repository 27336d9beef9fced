/** Who may import whom: ARCHITECTURE.md, as rules. `test/commands/test.ts` makes sure that modules were found at all. */

const TEST = '\\.test\\.tsx?$'
const only = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: TEST },
  // Our own code alone: packages and Node's modules are other rules' business.
  to: { path: '^(shared|server|web|features|portal|gateway|database|test|e2e|bin)/', pathNot: allowed },
})

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A reader can follow every call by its import.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that leads nowhere. (What the gateway serves to browsers imports by address.)',
      severity: 'error',
      from: { pathNot: '^gateway/fields/' },
      to: { couldNotResolve: true, pathNot: '\\.css$' },
    },
    only(
      'shared-stands-alone',
      'shared imports only zod, obscenity, json-logic-engine and itself.',
      '^shared/',
      '^shared/',
    ),
    {
      name: 'shared-imports-zod-only',
      comment: 'shared imports only zod, obscenity for the profanity filter, and json-logic-engine for conditions.',
      severity: 'error',
      from: { path: '^shared/', pathNot: TEST },
      to: {
        dependencyTypesNot: ['local', 'localmodule', 'undetermined'],
        pathNot: '^node_modules/(zod|obscenity|json-logic-engine)/',
      },
    },
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
      '^(portal|server|web|shared|database)/|^features/[^/]+/(feature\\.ts$|demo|web/(citizen|municipality|admin)\\.ts$)',
    ),
    {
      name: 'manifests-are-for-the-portal',
      comment: 'Nothing below the portal knows which features there are.',
      severity: 'error',
      from: { path: '^(shared|server|web|features|gateway|database)/', pathNot: TEST },
      to: { path: '^portal/|^features/[^/]+/(feature|web/(citizen|municipality|admin))\\.ts$' },
    },
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
      '^features/[^/]+/(contract|rules|report|states|list)\\.tsx?$',
      '^shared/|^features/[^/]+/(contract|rules|report|states|list)\\.ts$',
    ),
    only(
      'feature-server',
      'features/x/server imports server, shared, and other features’ contracts, rules and use cases.',
      '^features/[^/]+/(server|commands)/',
      '^(server|shared)/|^features/[^/]+/(server/|(contract|rules|report|states|list)\\.ts$)',
    ),
    {
      name: 'queries-are-private',
      comment: 'Another feature’s queries are its own: call its use case.',
      severity: 'error',
      from: { path: '^features/([^/]+)/' },
      to: { path: '^features/[^/]+/server/queries\\.ts$', pathNot: '^features/$1/' },
    },
    {
      name: 'payments-know-no-kind',
      comment: 'What can be paid is known by its port (features/payments/server/payable.ts) alone.',
      severity: 'error',
      from: { path: '^features/payments/', pathNot: TEST },
      to: { path: '^features/utility-accounts/' },
    },
    only(
      'feature-web',
      'features/x/web imports web, shared, its own folder, and other features’ contracts and rules.',
      '^features/([^/]+)/web/',
      '^(web|shared)/|^features/$1/web/|^features/[^/]+/(contract|rules|report|states|list)\\.ts$',
    ),
    {
      name: 'gateway-knows-nothing-of-us',
      comment: 'The gateway is another process and another origin.',
      severity: 'error',
      from: { path: '^gateway/', pathNot: TEST },
      to: { path: '^(shared|server|web|features|portal|database|test|e2e)/' },
    },
    {
      name: 'nothing-imports-the-gateway',
      comment: 'It is reached over HTTP alone.',
      severity: 'error',
      from: { pathNot: '^gateway/' },
      to: { path: '^gateway/' },
    },
    {
      name: 'tests-stay-tests',
      comment: 'What runs does not import what tests.',
      severity: 'error',
      from: { path: '^(shared|server|web|features|portal|gateway|database)/', pathNot: TEST },
      to: { path: `^(test|e2e)/|${TEST}` },
    },
    {
      name: 'browsers-get-no-node',
      comment: 'What a browser loads imports nothing of Node’s or the server’s.',
      severity: 'error',
      from: {
        path: '^(shared/|web/(?!build/)|features/[^/]+/(web/|contract|rules|report|states|list))',
        pathNot: TEST,
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'development-packages-stay-there',
      comment: 'The server runs with its dependencies; Vite is loaded while developing alone.',
      severity: 'error',
      from: {
        path: '^(server|portal|features/[^/]+/(server|commands)|gateway|database)/',
        pathNot: `${TEST}|^(portal/main|server/pages)\\.ts$`,
      },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm'] },
    },
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
