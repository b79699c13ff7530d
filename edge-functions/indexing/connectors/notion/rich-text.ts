// Converts Notion's rich text and a page's property values to text. Accepts any JSON. Pure. Source:
// developers.notion.com/reference/rich-text, …/page-property-values.
import { writeNumber } from "./numbers.ts";

type Json = Record<string, unknown>;
export const objectOf = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const wordOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : "";

/** Without formatting, for titles and code. */
export const plainOf = (rich: unknown): string =>
  listOf(rich)
    .map((part) => wordOf(objectOf(part).plain_text))
    .join("");

/** With code marks and the URLs of links. */
export const richOf = (rich: unknown): string =>
  listOf(rich)
    .map((part) => {
      const { plain_text, annotations, href } = objectOf(part);
      const text = wordOf(plain_text);
      if (objectOf(annotations).code === true && text.trim() !== "" && !/[`\n]/.test(text))
        return `\`${text}\``;
      // A link within Notion is a bare path, which is useless to readers.
      return typeof href === "string" && /^https?:/.test(href) && href !== text ? `${text} (${href})` : text;
    })
    .join("");

/** The title among a page's properties, whatever the property's name. */
export function titleIn(properties: Json | null | undefined): string {
  for (const property of Object.values(properties ?? {})) {
    const { type, title } = objectOf(property);
    if (type === "title") return plainOf(title).replace(/\s+/g, " ").trim();
  }
  return "";
}

/** The maximum nesting of rollups. */
const deepest = 4;

/**
 * A property's value on one line; "" when it is empty or not for readers.
 * @param column the property among those of its database, which alone tells how a number is shown
 */
export function wordsOf(property: unknown, column?: unknown, depth = 0): string {
  if (depth > deepest) return "";
  const { type, ...rest } = objectOf(property);
  const value = typeof type === "string" ? rest[type] : undefined;
  switch (type) {
    case "title":
      return oneLine(plainOf(value));
    case "rich_text":
      return oneLine(richOf(value));
    case "number":
      return typeof value === "number"
        ? oneLine(writeNumber(value, objectOf(objectOf(column).number).format))
        : "";
    case "string":
    case "url":
    case "email":
    case "phone_number":
    case "created_time":
    case "last_edited_time":
      return oneLine(wordOf(value));
    case "checkbox":
    case "boolean":
      return value === true ? "yes" : value === false ? "no" : "";
    case "select":
    case "status":
    case "created_by":
    case "last_edited_by":
    case "person":
      return nameOf(value);
    case "multi_select":
    case "people":
    case "files":
      return joinedNames(listOf(value).map(nameOf));
    case "date":
      return dateOf(value);
    case "unique_id": {
      const { prefix, number } = objectOf(value);
      return [wordOf(prefix), wordOf(number)].filter(Boolean).join("-");
    }
    case "formula":
      return wordsOf(value, undefined, depth + 1);
    case "rollup": {
      const { type: kind, array } = objectOf(value);
      return kind === "array"
        ? joinedNames(listOf(array).map((one) => wordsOf(one, undefined, depth + 1)))
        : wordsOf(value, undefined, depth + 1);
    }
    case "verification":
      return wordOf(objectOf(value).state);
    case "place": {
      const { name, address } = objectOf(value);
      return joinedNames([wordOf(name), wordOf(address)]);
    }
    default:
      // Relations are ids, and buttons have no value.
      return "";
  }
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
const nameOf = (value: unknown) => oneLine(wordOf(objectOf(value).name));
const joinedNames = (names: string[]) => names.filter(Boolean).join(", ");

function dateOf(value: unknown): string {
  const { start, end } = objectOf(value);
  return [wordOf(start), wordOf(end)].filter(Boolean).join(" – ");
}
