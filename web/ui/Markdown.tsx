// Markdown as React elements: no raw HTML, links only to http(s) and mail, images as links, since loading one could
// reveal a question to a stranger. Pure: for pages and islands.
import type { Token, Tokens } from "marked";
import { Fragment, memo, type ReactNode, useMemo } from "react";
import { lexMarkdown } from "#edge-functions/_shared/text/markdown-lexer.ts";
import { CodeBlock, type CopyWords } from "./CodeBlock.tsx";

export interface MarkdownProps {
  text: string;
  /** Renders the mark [n]; null leaves the text unchanged. */
  mark?(index: number, key: string): ReactNode;
  /** Adds a copy button to each code block: for islands, since it needs the browser. */
  copyCode?: CopyWords;
}

type Render = (tokens: Token[] | undefined, prefix: string) => ReactNode[];

const safeLink = /^(https?:\/\/|mailto:)/i;
/** Below the page's own headings. */
const headings = ["h3", "h4", "h5", "h6"] as const;
const markPattern = /\[(\d{1,3})\]/g;

function withMarks(text: string, key: string, mark: MarkdownProps["mark"]): ReactNode {
  if (!mark || !text.includes("[")) return text;
  const parts: ReactNode[] = [];
  let end = 0;
  for (const found of text.matchAll(markPattern)) {
    const rendered = mark(Number(found[1]), `${key}-${found.index}`);
    if (rendered === null) continue;
    parts.push(text.slice(end, found.index), rendered);
    end = found.index + found[0].length;
  }
  parts.push(text.slice(end));
  return parts.map((part, index) => <Fragment key={`${key}.${String(index)}`}>{part}</Fragment>);
}

function link(href: string, children: ReactNode, key: string): ReactNode {
  if (!safeLink.test(href)) return <Fragment key={key}>{children}</Fragment>;
  return (
    <a
      key={key}
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-accent-ink underline"
    >
      {children}
    </a>
  );
}

function table(token: Tokens.Table, key: string, render: Render): ReactNode {
  return (
    <section
      key={key}
      dir={directionOf(token.raw)}
      className="scroll-x my-3 [overflow-wrap:normal]"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={token.header[0]?.text}
    >
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr>
            {token.header.map((cell, column) => (
              <th
                key={`${key}h${String(column)}`}
                className="border-line border-b px-2 py-1.5 text-start font-medium"
              >
                {render(cell.tokens, `${key}h${String(column)}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={`${key}r${String(index)}`}>
              {row.map((cell, column) => (
                <td
                  key={`${key}r${String(index)}c${String(column)}`}
                  className="border-line border-b px-2 py-1.5"
                >
                  {render(cell.tokens, `${key}r${String(index)}c${String(column)}`)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/**
 * The direction of a block by its first letter, like `auto`. For blocks with blocks inside that set their own: `auto`
 * skips those.
 */
const directionOf = (text: string): "rtl" | "ltr" =>
  /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text)
    ? "rtl"
    : "ltr";

function list(token: Tokens.List, key: string, render: Render): ReactNode {
  const dir = directionOf(token.raw);
  const items = token.items.map((item, index) => (
    <li key={`${key}i${String(index)}`} dir="auto" className={item.task ? "-ms-5 list-none" : undefined}>
      {render(item.tokens, `${key}i${String(index)}`)}
    </li>
  ));
  return token.ordered ? (
    <ol key={key} dir={dir} start={Number(token.start) || 1} className="my-2 list-decimal space-y-1 ps-5">
      {items}
    </ol>
  ) : (
    <ul key={key} dir={dir} className="my-2 list-disc space-y-1 ps-5">
      {items}
    </ul>
  );
}

function element(
  token: Token,
  key: string,
  render: Render,
  mark: MarkdownProps["mark"],
  copy?: CopyWords,
): ReactNode {
  switch (token.type) {
    case "paragraph":
      return (
        <p key={key} dir="auto" className="my-2">
          {render(token.tokens, key)}
        </p>
      );
    case "heading": {
      const Heading = headings[(token as Tokens.Heading).depth - 1] ?? "h6";
      return (
        <Heading key={key} dir="auto" className="mt-4 mb-1 font-semibold">
          {render(token.tokens, key)}
        </Heading>
      );
    }
    case "list":
      return list(token as Tokens.List, key, render);
    case "table":
      return table(token as Tokens.Table, key, render);
    case "code":
      return (
        <CodeBlock
          key={key}
          text={(token as Tokens.Code).text}
          language={(token as Tokens.Code).lang}
          copy={copy}
        />
      );
    case "blockquote":
      return (
        <blockquote
          key={key}
          dir={directionOf(token.raw)}
          className="my-2 border-line border-s-2 ps-3 text-muted"
        >
          {render(token.tokens, key)}
        </blockquote>
      );
    case "hr":
      return <hr key={key} className="my-4 border-line" />;
    case "strong":
      return <strong key={key}>{render(token.tokens, key)}</strong>;
    case "em":
      return <em key={key}>{render(token.tokens, key)}</em>;
    case "del":
      return <del key={key}>{render(token.tokens, key)}</del>;
    case "codespan":
      return (
        <code key={key} className="rounded-sm bg-hover px-1 py-0.5 font-mono text-[0.92em]">
          {(token as Tokens.Codespan).text}
        </code>
      );
    case "checkbox":
      return (
        <input
          key={key}
          type="checkbox"
          disabled
          checked={(token as Tokens.Checkbox).checked}
          readOnly
          aria-label={(token as Tokens.Checkbox).checked ? "☑" : "☐"}
          className="me-2 align-middle"
        />
      );
    case "br":
      return <br key={key} />;
    case "link":
      return link((token as Tokens.Link).href, render(token.tokens, key), key);
    case "image":
      return link(
        (token as Tokens.Image).href,
        (token as Tokens.Image).text || (token as Tokens.Image).href,
        key,
      );
    case "space":
    case "def":
      return null;
    case "text":
      if (token.tokens) return <Fragment key={key}>{render(token.tokens, key)}</Fragment>;
      return <Fragment key={key}>{withMarks((token as Tokens.Text).text, key, mark)}</Fragment>;
    case "escape":
      return <Fragment key={key}>{(token as Tokens.Escape).text}</Fragment>;
    default:
      // HTML and unknown tokens are shown as source text.
      return <Fragment key={key}>{token.raw}</Fragment>;
  }
}

interface BlockProps {
  token: Token;
  mark: MarkdownProps["mark"];
  copyCode?: CopyWords;
}

/** One paragraph, list, table…: while a reply grows, finished blocks are not rendered again. */
const Block = memo(
  function Block({ token, mark, copyCode }: BlockProps) {
    const render: Render = (tokens, prefix) =>
      (tokens ?? []).map((one, index) => element(one, `${prefix}/${String(index)}`, render, mark, copyCode));
    return element(token, "", render, mark, copyCode);
  },
  (before, now) =>
    before.token.raw === now.token.raw && before.token.type === now.token.type && before.mark === now.mark,
);

export const Markdown = memo(function Markdown({ text, mark, copyCode }: MarkdownProps) {
  const tokens = useMemo(() => lexMarkdown(text), [text]);
  return (
    <div className="[overflow-wrap:anywhere] [&>:first-child]:mt-0 [&>:last-child]:mb-0">
      {tokens.map((token, index) => (
        // Blocks are only ever appended, so a block's index identifies it.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Block key={index} token={token} mark={mark} copyCode={copyCode} />
      ))}
    </div>
  );
});
