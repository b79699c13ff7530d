// Generates the SQL of a function that a declaration answers. Pure.

/** @param signature as in `is_language(code text)` @param returns its type @param body the lines of its statement */
export function declaredFunction(signature: string, returns: string, body: string[]): string[] {
  const types = signature.replace(/\w+ (text|jsonb)/g, "$1");
  return [
    `create or replace function private.${signature} returns ${returns}`,
    "language sql immutable parallel safe set search_path = '' as $$",
    ...body,
    "$$;",
    `revoke all on function private.${types} from public;`,
    `grant execute on function private.${types} to authenticated, service_role;`,
    "",
  ];
}
