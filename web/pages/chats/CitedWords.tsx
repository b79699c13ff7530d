// The quote of a citation: table rows under their header, other text as in the document.
import { InlineText } from "../../ui/InlineText.tsx";
import type { Citation } from "./chat.ts";

export function CitedWords({ citation, short = false }: { citation: Citation; short?: boolean }) {
  const { table, quote } = citation;
  if (table) {
    const rows = short ? table.rows.slice(0, 2) : table.rows;
    return (
      <section
        className="scroll-x [overflow-wrap:normal]"
        // A card cannot be entered by keyboard.
        tabIndex={short ? undefined : 0}
        aria-label={table.columns.find(Boolean)}
      >
        <table className="min-w-full border-collapse text-sm">
          <thead>
            <tr>
              {table.columns.map((name, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
                <th key={at} scope="col" className="border-line border-b px-2 py-1 text-start font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <tr key={row} className="bg-careful-soft">
                {cells.map((cell, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  <td key={at} dir="auto" className="border-line border-b px-2 py-1 align-top">
                    <InlineText text={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    );
  }
  return (
    <blockquote
      dir="auto"
      className={`whitespace-pre-wrap border-line border-s-2 ps-3 [overflow-wrap:anywhere] ${short ? "line-clamp-6" : ""}`}
    >
      <InlineText text={withoutBars(quote)} />
    </blockquote>
  );
}

/** Without the bars of a Markdown table; other text unchanged. */
function withoutBars(quote: string): string {
  return quote
    .split("\n")
    .filter((line) => !/^\|[\s|:-]+\|$/.test(line))
    .map(
      (line) =>
        /^\|(.*)\|$/
          .exec(line)?.[1]
          ?.trim()
          .split(/\s*(?<!\\)\|\s*/)
          .join(" · ") ?? line,
    )
    .join("\n");
}
