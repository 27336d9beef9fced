import type { Pool } from 'pg'

/**
 * Lists violations of the schema rules that keep companies' data separate and allow sharding by company. Reads the
 * database's catalog. Each message names the table and the rule. Empty if all tables conform.
 */
export async function catalogFaults(pool: Pool): Promise<string[]> {
  // Uses one statement for all rules, so that PostgreSQL reads the catalog only once.
  const rules = RULES.map(({ text, sql }) => `SELECT '${text}' AS text, broken.name::text AS name FROM (${sql}) broken`)
  const { rows } = await pool.query<{ text: string; name: string }>(`WITH ${KINDS} ${rules.join(' UNION ALL ')}`)
  return rows.map(({ name, text }) => `${name}: ${text}`).sort()
}

/** Lists the tables with rows that belong to companies. */
export async function tenantTables(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `WITH ${KINDS} SELECT name FROM tables WHERE kind = 'tenant' ORDER BY name`,
  )
  return rows.map((row) => row.name)
}

const KINDS = `
  tables AS MATERIALIZED (
    SELECT c.oid, c.relname::text AS name, c.relowner, c.relrowsecurity, c.relforcerowsecurity, a.attnum AS company, a.atttypid,
      a.attnotnull, a.attgenerated, a.attidentity, coalesce(obj_description(c.oid, 'pg_class'), '') AS comment,
      CASE WHEN a.attnum IS NOT NULL THEN 'tenant'
           WHEN obj_description(c.oid, 'pg_class') LIKE 'reference: %' THEN 'reference'
           WHEN obj_description(c.oid, 'pg_class') LIKE 'local: %' THEN 'local' END AS kind
    FROM pg_class c
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'company_id' AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
  ),
  links AS MATERIALIZED (
    SELECT f.*, l.name AS from_name, l.kind AS from_kind, l.company AS from_company, r.name AS to_name, r.kind AS to_kind, r.company AS to_company
    FROM pg_constraint f JOIN tables l ON l.oid = f.conrelid LEFT JOIN tables r ON r.oid = f.confrelid
    WHERE f.contype = 'f'
  )`

/** Condition of the only policy that a tenant table may have, in the format of the catalog. */
const OWN_ROWS = `'(company_id = (NULLIF(current_setting(''app.company_id''::text, true), ''''::text))::integer)'`

const RULES: { text: string; sql: string }[] = [
  {
    text: 'is neither a tenant table (company_id) nor declared reference or local in its comment',
    sql: `SELECT name FROM tables WHERE kind IS NULL`,
  },
  {
    text: 'has company_id and is declared reference or local',
    sql: `SELECT name FROM tables WHERE kind = 'tenant' AND comment ~ '^(reference|local): '`,
  },
  {
    text: 'company_id is not a plain integer that is never null',
    sql: `SELECT name FROM tables WHERE kind = 'tenant' AND (atttypid <> 'int4'::regtype OR NOT attnotnull OR attgenerated <> '' OR attidentity <> '')`,
  },
  {
    text: 'its primary key does not begin with company_id',
    sql: `SELECT name FROM tables t WHERE kind = 'tenant' AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = t.oid AND i.indisprimary AND i.indkey[0] = t.company)`,
  },
  {
    text: 'a unique or exclusion rule does not contain company_id',
    sql: `SELECT t.name FROM tables t JOIN pg_index i ON i.indrelid = t.oid WHERE kind = 'tenant' AND (i.indisunique OR i.indisexclusion) AND NOT (t.company = ANY (i.indkey))`,
  },
  {
    text: 'a foreign key to a tenant table does not carry company_id at the same position',
    sql: `SELECT from_name AS name FROM links WHERE to_kind = 'tenant' AND (from_kind <> 'tenant'
      OR array_position(conkey, from_company) IS NULL OR array_position(conkey, from_company) IS DISTINCT FROM array_position(confkey, to_company))`,
  },
  {
    text: 'a foreign key points from a tenant or reference table to a local one',
    sql: `SELECT from_name AS name FROM links WHERE to_kind = 'local' AND from_kind IN ('tenant', 'reference')`,
  },
  {
    text: 'a foreign key sets null, sets a default, or cascades an update',
    sql: `SELECT from_name AS name FROM links WHERE confdeltype IN ('n', 'd') OR confupdtype IN ('c', 'n', 'd')`,
  },
  {
    text: 'has a trigger',
    sql: `SELECT t.name FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid WHERE NOT g.tgisinternal`,
  },
  {
    text: 'an identity column is not bigint',
    sql: `SELECT t.name FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid WHERE a.attidentity <> '' AND a.atttypid <> 'int8'::regtype`,
  },
  {
    text: 'row-level security is not enabled and forced',
    sql: `SELECT name FROM tables WHERE kind = 'tenant' AND NOT (relrowsecurity AND relforcerowsecurity)`,
  },
  {
    text: 'its policies are other than the one that shows a company its own rows',
    sql: `SELECT name FROM tables t WHERE kind = 'tenant' AND (
      (SELECT count(*) FROM pg_policy p WHERE p.polrelid = t.oid) <> 1
      OR NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = t.oid AND p.polcmd = '*' AND p.polpermissive AND p.polroles = '{0}'
        AND pg_get_expr(p.polqual, p.polrelid) = ${OWN_ROWS} AND pg_get_expr(p.polwithcheck, p.polrelid) = ${OWN_ROWS}))`,
  },
  {
    text: 'the platform may not read it, so that a backup could not hold it',
    sql: `SELECT name FROM tables WHERE kind = 'tenant' AND NOT has_table_privilege('mainstreet_platform', oid, 'SELECT')`,
  },
  {
    text: 'belongs to a role that the portal signs in with',
    sql: `SELECT name FROM tables t JOIN pg_roles r ON r.oid = t.relowner WHERE r.rolname IN ('mainstreet_app', 'mainstreet_platform', 'mainstreet_gateway')`,
  },
  {
    text: 'the application may truncate it, or change what is append-only',
    sql: `SELECT name FROM tables WHERE has_table_privilege('mainstreet_app', oid, 'TRUNCATE')
      OR (name IN ('ledger_transfer', 'status_history', 'audit_event', 'audit_seal', 'platform_audit_seal', 'remittance', 'payment_alert', 'platform_audit_event', 'company_config_version', 'case_entry', 'field_set_version', 'general_settlement', 'form_round', 'form_settlement', 'rental_lottery', 'rental_agreement')
        AND (has_table_privilege('mainstreet_app', oid, 'UPDATE') OR has_table_privilege('mainstreet_app', oid, 'DELETE')
          OR has_table_privilege('mainstreet_platform', oid, 'UPDATE') OR has_table_privilege('mainstreet_platform', oid, 'DELETE')))`,
  },
  {
    text: 'is a view that passes row-level security without showing one company alone, or that may be written through',
    sql: `SELECT v.relname::text AS name FROM pg_class v WHERE v.relkind = 'v' AND v.relnamespace = 'public'::regnamespace
      AND NOT coalesce('security_invoker=true' = ANY (v.reloptions), false)
      AND (v.relowner <> 'mainstreet_search'::regrole OR has_table_privilege('mainstreet_app', v.oid, 'INSERT, UPDATE, DELETE')
        OR right(regexp_replace(pg_get_viewdef(v.oid), '[(][a-z_]+[.]company_id =', '(company_id ='), 1 + length('WHERE ' || ${OWN_ROWS})) <> 'WHERE ' || ${OWN_ROWS} || ';')`,
  },
  {
    text: 'is a role with more rights than it should have',
    sql: `SELECT rolname::text AS name FROM pg_roles WHERE (rolname = 'mainstreet_app' AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb))
      OR (rolname = 'mainstreet_platform' AND (rolsuper OR rolcreaterole OR rolcreatedb))
      OR (rolname = 'mainstreet_search' AND (rolsuper OR rolcanlogin))`,
  },
]
