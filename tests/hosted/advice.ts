// Owns the CLI's lints and advisors on a project's database, and why some findings are no fault.
import type { Project } from "./project.ts";

/** By the advisors' names. */
const explained: Record<string, string> = {
  unused_index: "a fresh database has used few of them",
  rls_enabled_no_policy: "tables of the schema private are reached by functions and the service alone",
  multiple_permissive_policies:
    "a policy is a sentence about one kind of caller, and some tables have several",
};

/** By the function concerned. */
const explainedFunctions: Record<string, string> = {
  "private.sign_up_metadata": "returns a constant that Postgres reads as jsonb",
  "private.check_embeddings": "begins with a constant that Postgres reads as text[]",
  "private.teams_with": "returns a constant that Postgres reads as uuid[]",
  "private.confirm_email_change": "looks first whether the auth server has the table",
};

/** Unexplained findings of `db advisors`, one line each. */
export async function findAdvice(project: Project): Promise<string[]> {
  const { code, output } = await project.shell.run(
    `supabase db advisors --remote='${project.databaseUrl}' --level info`,
  );
  if (code !== 0) throw new Error(output);
  const found: { name: string; detail: string }[] = listIn(output);
  return found.filter(({ name }) => !(name in explained)).map(({ name, detail }) => `${name}: ${detail}`);
}

/** Unexplained findings of `db lint`; undefined when the machine lacks plpgsql_check, which it needs. */
export async function findLints(project: Project): Promise<string[] | undefined> {
  const { code, output } = await project.shell.run(
    "supabase db lint --remote --schema public,private --level warning",
  );
  if (output.includes('extension "plpgsql_check" is not available')) return undefined;
  if (code !== 0) throw new Error(output);
  const found: { function: string; issues: { message: string }[] }[] = listIn(output);
  return found
    .filter((one) => !(one.function in explainedFunctions))
    .map((one) => `${one.function}: ${one.issues.map(({ message }) => message).join(", ")}`);
}

/** The list in a command's output; empty when it found nothing. */
function listIn(output: string) {
  const [list] = /^\[\n[\s\S]*^\]$/m.exec(output) ?? [];
  return list === undefined ? [] : JSON.parse(list);
}
