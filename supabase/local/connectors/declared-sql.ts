// Generates the SQL that checks sources, from the connectors' declarations. Pure.
import type { Declaration } from "../../../edge-functions/indexing/connectors/declaration.ts";
import { declaredFunction } from "../declared-function.ts";

const head = `-- Generated from edge-functions/indexing/connectors/*/declaration.ts; regenerate it with npm run connectors.
-- Owns what Postgres checks of sources, through PostgREST and /v1 alike.
`;

/** The content of sql/39_connectors.sql, which the migration for a new connector runs as well. */
export function declaredSql(declarations: readonly Declaration[]): string {
  const types = declarations.map(({ type }) => checkName(type));
  const settings = declarations.flatMap(({ type, settings }) =>
    Object.entries(settings).map(
      ([name, { sql }]) => `    when '${checkName(type)}.${checkName(name)}' then ${sql}`,
    ),
  );
  const addresses = declarations
    .filter((one) => one.addresses.length > 0)
    .map((one) => `    when '${one.type}' then '{${one.addresses.map(checkName).join(",")}}'::text[]`);
  return [
    head,
    "-- The types of sources. Documents of these types are written by connectors alone.",
    ...declaredFunction("source_types()", "text[]", [`  select '{${types.join(",")}}'::text[]`]),
    "-- The settings of a type that decide where its credentials are sent.",
    ...declaredFunction("source_addresses(type text)", "text[]", [
      "  select case type",
      ...addresses,
      "    else '{}'::text[]",
      "  end",
    ]),
    "-- True when a source of this type has this setting, and the value has its connector's format. The connector checks all settings",
    "-- again before it uses them. Whether a host may be called is checked when it is called.",
    ...declaredFunction("is_source_setting(type text, name text, value jsonb)", "boolean", [
      "  select case type || '.' || name",
      ...settings,
      "    else false",
      "  end",
    ]),
  ].join("\n");
}

/** @throws Error for a name that would need quotes */
function checkName(name: string): string {
  if (!/^[a-zA-Z]\w*$/.test(name)) throw new Error(`${name} is not a name of a type or a setting`);
  return name;
}
