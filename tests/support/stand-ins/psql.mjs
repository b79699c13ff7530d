#!/usr/bin/env node
// Stands in for psql where a machine has none: statements from stdin on one connection, values printed one row a line.
// A statement that ends with \g FILE prints nothing.
import { text } from "node:stream/consumers";
import postgres from "postgres";

const sql = postgres(process.argv[2], { max: 1, onnotice: () => {} });
const connection = await sql.reserve();
for (const [, statement, end] of (await text(process.stdin)).matchAll(/([^;\\]+)(;|\\g [^\n]*)/g)) {
  const rows = await connection.unsafe(statement).values();
  if (end === ";") for (const row of rows) console.log(row.join("|"));
}
connection.release();
await sql.end();
