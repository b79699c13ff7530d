// Owns what lite is told of a REST request where its own reading differs from PostgREST's: filters, arguments, absent columns, and the end
// of a refused change. Does not answer and adds no ability that PostgREST lacks.
import { AsyncLocalStorage } from "node:async_hooks";
import type { PostgresConnection } from "@supabase/lite/postgres";
import { addFilter, isFilter, noFilter, UnreadableFilter, type Where } from "./rest-filters.ts";
import { answering } from "./rest-repairs.ts";
import { replace } from "./session-context.ts";

/** lite's form of a request. */
interface Ast {
  type: string;
  schema?: string;
  from?: string;
  function?: string;
  select?: (string | Record<string, { select?: unknown; where?: Where }>)[];
  join?: Record<string, { from?: string }>;
  where?: Where;
  values?: unknown;
  args?: unknown;
  $meta?: { columns?: string[]; missing?: string };
}

export interface RestCall {
  /** Of the rows that are read or changed. */
  where: Where;
  /** By the name of the embedded table. */
  embedded: Map<string, Where>;
  /** A function's, from the query. */
  args: Map<string, string | string[]>;
  isCsv: boolean;
  ast?: Ast;
}

const calls = new AsyncLocalStorage<RestCall>();

/** Query names that are neither filters nor arguments. */
const SHAPES = new Set(["select", "order", "limit", "offset", "columns", "on_conflict", "apikey"]);
const isShape = (name: string) => SHAPES.has(name) || /\.(?:order|limit|offset)$/.test(name);

/**
 * Takes the filters out of a request's query. @returns them, and the request as lite is to read it
 * @throws UnreadableFilter
 */
export function readCall(request: Request): { call: RestCall; request: Request } {
  const url = new URL(request.url);
  const isRead = /^(?:GET|HEAD)$/.test(request.method);
  const takesArgs = url.pathname.startsWith("/rest/v1/rpc/") && isRead;
  const isCsv = /^text\/csv\b/i.test(request.headers.get("content-type") ?? "");
  const call: RestCall = { where: noFilter(), embedded: new Map(), args: new Map(), isCsv };
  const rest = new URLSearchParams();
  for (const [name, value] of url.searchParams) {
    const isArg = takesArgs && !isShape(name) && !isFilter(value);
    if (isArg) {
      const before = call.args.get(name);
      call.args.set(name, before === undefined ? value : [before, value].flat());
    }
    // lite fails at a quote that is not closed.
    if (name === "select" && value.split('"').length % 2 === 0)
      throw new UnreadableFilter(`failed to parse select parameter (${value})`);
    if (isArg || isShape(name)) rest.append(name, value);
    else addTo(call, name, value);
  }
  url.search = rest.toString();
  const headers = new Headers(request.headers);
  // PostgREST ends a transaction as the client wishes only where its settings allow that: hosted Supabase's do not.
  const prefer = headers.get("prefer")?.replace(/(?:^|,)\s*tx\s*=[^,]*/gi, "");
  if (prefer !== undefined) headers.set("prefer", prefer.replace(/^\s*,/, ""));
  return { call, request: new Request(new Request(url, request), { headers }) };
}

function addTo(call: RestCall, name: string, value: string): void {
  const [, table, inTable = ""] = /^([^".>]+)\.(.+)$/s.exec(name) ?? [];
  if (!table || name === "not.or" || name === "not.and") {
    addFilter(call.where, name, value);
    return;
  }
  if (/^[^"]*\./.test(inTable.replace(/^not\.(?=(?:or|and)$)|.*->.*/s, "")))
    throw new UnreadableFilter(`a filter names a column of a table that is embedded directly, not ${name}`);
  const where = call.embedded.get(table) ?? noFilter();
  addFilter(where, inTable, value);
  call.embedded.set(table, where);
}

/** Runs lite's work for a call. */
export const runCall = <T>(call: RestCall, work: () => Promise<T>): Promise<T> => calls.run(call, work);

/** Makes lite use the calls that `readCall` read. */
export function readAsPostgrest(connection: PostgresConnection): void {
  const readAst = connection.onPostgrestAST.bind(connection);
  replace(connection, "onPostgrestAST", async (...given: Parameters<typeof readAst>) => {
    const ast = await readAst(...given);
    const call = calls.getStore();
    if (call) await complete(ast as Ast, call, connection);
    return ast;
  });
  const withContext = connection.withContext.bind(connection);
  type Given = Parameters<typeof withContext>;
  replace(connection, "withContext", async (vars: Given[0], work: Given[1], options: Given[2]) => {
    const ast = calls.getStore()?.ast;
    if (!ast) return withContext(vars, work, options);
    // lite would show null in each column of a new row that its body left to the default.
    delete ast.$meta?.columns;
    try {
      return await withContext(
        vars,
        async (tx) => {
          const answer = await work(ast.type === "update" ? tx.withPlugin(readingAgain(ast)) : tx);
          if (answer instanceof Response && answer.status >= 400) throw new Refused(answer);
          return answer;
        },
        options,
      );
    } catch (error) {
      if (error instanceof Refused) return error.answer;
      throw error;
    }
  });
}

/** Rolls the transaction back: lite would commit a change that it answers with 406. */
class Refused extends Error {
  readonly answer: Response;
  constructor(answer: Response) {
    super("refused");
    this.answer = answer;
  }
}

/** Of the query builder that lite works with. */
type Work = Parameters<PostgresConnection["withContext"]>[1];
type Plugin = Parameters<Parameters<Work>[0]["withPlugin"]>[0];

/** lite reads changed rows again, by their keys and the filter, which they may no longer match. */
function readingAgain(ast: Ast): Plugin {
  const updates = new WeakSet<object>();
  return {
    transformQuery: ({ node, queryId }) => {
      if (node.kind === "UpdateQueryNode") updates.add(queryId);
      return node;
    },
    transformResult: async ({ queryId, result }) => {
      if (updates.has(queryId)) ast.where = undefined;
      return result;
    },
  };
}

async function complete(ast: Ast, call: RestCall, connection: PostgresConnection): Promise<void> {
  call.ast = ast;
  const schema = ast.schema ?? "public";
  const { columns, functions = [] } = await connection.introspect({ useCache: true });
  const isJsonColumn = (table: string | undefined, name: string) =>
    columns.some(
      (one) =>
        one.table === table &&
        one.name === name &&
        one.schema === schema &&
        /^jsonb?$/.test(one.pg_type ?? one.type),
    );
  if (Object.keys(call.where).length > 0)
    ast.where = withJson(call.where, (name) => isJsonColumn(ast.from, name));
  for (const [name, where] of call.embedded) {
    const item = ast.select?.find(
      (one) =>
        typeof one === "object" &&
        Object.entries(one).some(
          ([key, { select }]) => select && (key === name || ast.join?.[key]?.from === name),
        ),
    );
    if (typeof item !== "object") throw refuseUnembedded(name);
    for (const [key, embedded] of Object.entries(item)) {
      const table = ast.join?.[key]?.from ?? key;
      embedded.where = withJson(where, (column) => isJsonColumn(table, column));
    }
  }
  if (ast.function !== undefined) {
    const isJson = (name: string) =>
      functions.some(
        (one) =>
          one.name === ast.function && /^jsonb?$/.test(one.arg_types[one.arg_names.indexOf(name)] ?? ""),
      );
    completeArgs(ast, call, isJson);
  } else if (ast.values !== undefined && ast.values !== null) ast.values = complement(ast, call);
}

/** What a query says of an argument is its text; in a body, an argument of type json is any JSON value. */
function completeArgs(ast: Ast, call: RestCall, isJson: (name: string) => boolean): void {
  if (call.args.size > 0) ast.args = Object.fromEntries(call.args);
  else if (isRow(ast.args) && !("_raw" in ast.args))
    ast.args = Object.fromEntries(
      Object.entries(ast.args).map(([name, value]) => [
        name,
        value !== null && isJson(name) ? JSON.stringify(value) : value,
      ]),
    );
}

/** Rows with the columns that the query names, null where a row has none. lite would make invalid SQL of what is no row. */
function complement({ type, values, $meta }: Ast, { isCsv }: RestCall): unknown {
  const rows = [values].flat();
  if (type === "update" && rows.length === 0) return {};
  if (!rows.every(isRow) || (type !== "update" && rows.some((row) => Object.keys(row).length === 0)))
    throw answering(400, {
      code: "PGRST102",
      message: "The body must be a JSON object, or a list of objects, with the columns to write.",
      details: null,
      hint: null,
    });
  const complementRow = (row: unknown): unknown => {
    if (!isRow(row)) return row;
    const own = isCsv
      ? Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, value === "NULL" ? null : value]),
        )
      : row;
    if (!$meta?.columns || $meta.missing === "default") return own;
    return { ...Object.fromEntries($meta.columns.map((name) => [name, null])), ...own };
  };
  return Array.isArray(values) ? values.map(complementRow) : complementRow(values);
}

const isRow = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The filter with JSON values for columns and paths of type json: the driver would send a text as a JSON string. */
function withJson(where: Where, isJsonColumn: (name: string) => boolean): Where {
  return Object.fromEntries(
    Object.entries(where).map(([name, value]) => {
      if (name === "$and" || name === "$or")
        return [name, (value as Where[]).map((one) => withJson(one, isJsonColumn))];
      if (name === "$not") return [name, withJson(value as Where, isJsonColumn)];
      const isJson = name.includes("->") ? !/->>[^>]*$/.test(name) : isJsonColumn(name);
      return [name, isJson ? parseOperators(value as Where) : value];
    }),
  );
}

function parseOperators(operators: Where): Where {
  return Object.fromEntries(
    Object.entries(operators).map(([operator, value]) => {
      if (operator === "$not") return [operator, parseOperators(value as Where)];
      if (!/^\$(?:eq|neq|[gl]te?|in|notIn|isDistinct|contains|containedBy)$/.test(operator))
        return [operator, value];
      return [operator, Array.isArray(value) ? value.map(parseJson) : parseJson(value)];
    }),
  );
}

function parseJson(value: unknown): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    throw answering(400, {
      code: "22P02",
      message: "invalid input syntax for type json",
      details: null,
      hint: null,
    });
  }
}

function refuseUnembedded(name: string): Error {
  return Object.assign(
    new Error(),
    answering(400, {
      code: "PGRST108",
      message: `'${name}' is not an embedded resource in this request`,
      details: null,
      hint: `Verify that '${name}' is included in the 'select' query parameter.`,
    }),
  );
}
