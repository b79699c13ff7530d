// Reads JSON and JSON Lines: every value on a line with its path, every record of a list in a block of its own. Walks without
// recursion, so that depth costs no stack.

import { sentenceOf } from "../../_shared/text/sentences.ts";
import { decodeText } from "./decode.ts";
import { limits, type ParsedDocument, ParseError, type Parser, type ParserInput } from "./document.ts";
import { clipText, oneLine, TextBuilder } from "./text-builder.ts";

export const json: Parser = {
  name: "json",
  label: "a JSON file",
  extensions: ["json", "jsonl", "ndjson", "geojson", "webmanifest"],
  contentTypes: ["application/json", "application/x-ndjson", "application/jsonl", "application/ld+json"],
  parse: async (input) => parseJson(input),
};

/** A longer path is shortened at its beginning: deep nesting would repeat it on every line. */
const longestPath = 200;

function parseJson({ bytes, name }: ParserInput): ParsedDocument {
  const decoded = decodeText(bytes);
  const out = new TextBuilder(name);
  out.warn(decoded.warning);
  const value = readJson(decoded.text);
  if (value === undefined) {
    out.warn(sentenceOf("jsonInvalid"));
    out.block(decoded.text);
    return out.finish();
  }
  if (Array.isArray(value)) writeRecords(out, value, name);
  else writeObject(out, value, name);
  return out.finish(titleOf(value));
}

/** One value, or one on each line. */
function readJson(text: string): unknown {
  const source = text.replace(/^\ufeff/, "");
  try {
    return JSON.parse(source);
  } catch {
    // Falls through to JSON Lines.
  }
  try {
    const lines = source.split("\n").filter((line) => line.trim() !== "");
    return lines.length > 1 ? lines.map((line): unknown => JSON.parse(line)) : undefined;
  } catch {
    return undefined;
  }
}

/** Writes an object's own values first, then each list or object in it under its name. */
function writeObject(out: TextBuilder, value: unknown, fileName: string): void {
  if (!isContainer(value)) {
    out.block(String(value));
    return;
  }
  const entries = Object.entries(value);
  out.block(
    entries
      .filter(([, inner]) => !isContainer(inner))
      .map(([key, inner]) => `${oneLine(key)}: ${scalar(inner)}`)
      .join("\n"),
  );
  for (const [key, inner] of entries) {
    if (!isContainer(inner) || isBare(inner)) continue;
    const label = clipText(oneLine(key), longestPath);
    if (label) out.block(label, { kind: "heading", level: 1, label });
    if (Array.isArray(inner)) writeRecords(out, inner, fileName);
    else out.block(linesOf(inner, fileName));
  }
}

function writeRecords(out: TextBuilder, records: unknown[], fileName: string): void {
  const close = out.open("list");
  for (const record of records) out.block(linesOf(record, fileName), { kind: "item" });
  close();
}

/** Every value of a record, one per line: "address.city: Lyon". @throws ParseError `too_large` */
function linesOf(record: unknown, fileName: string): string {
  const lines: string[] = [];
  let length = 0;
  const waiting: { path: string; value: unknown }[] = [{ path: "", value: record }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path, value } = next;
    if (!isContainer(value)) {
      const line = path === "" ? scalar(value) : `${path}: ${scalar(value)}`;
      lines.push(line);
      length += line.length;
      if (length > limits.textChars) {
        throw new ParseError("too_large", fileName, {
          limit: `${limits.textChars / 2 ** 20} million characters of text`,
        });
      }
    } else if (Array.isArray(value) && value.every((inner) => !isContainer(inner))) {
      waiting.push({ path, value: value.map(scalar).join(", ") });
    } else {
      const entries = Array.isArray(value) ? value.map((inner, i) => [i + 1, inner]) : Object.entries(value);
      // A stack: pushed in reverse to keep the order.
      for (const [key, inner] of entries.reverse())
        waiting.push({ path: below(path, String(key)), value: inner });
    }
  }
  return lines.filter((line) => line.trim() !== "").join("\n");
}

function below(path: string, key: string): string {
  const whole = path === "" ? oneLine(key) : `${path}.${oneLine(key)}`;
  return whole.length <= longestPath
    ? whole
    : `…${whole.slice(-longestPath).replace(/^[\udc00-\udfff]/, "")}`;
}

function scalar(value: unknown): string {
  return typeof value === "string" ? oneLine(value) : String(value);
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isBare(value: object): boolean {
  return Object.keys(value).length === 0;
}

function titleOf(value: unknown): string | undefined {
  if (!isContainer(value) || Array.isArray(value)) return undefined;
  const named: Record<string, unknown> = { ...value };
  const title = named.title ?? named.name;
  return typeof title === "string" ? title : undefined;
}
