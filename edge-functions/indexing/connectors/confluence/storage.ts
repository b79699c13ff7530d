// Converts Confluence's storage format to HTML for our own reader: macros become what they display, links and tasks their text.
// Streams and accepts any input, so that depth costs no stack. Pure. Source:
// confluence.atlassian.com/doc/confluence-storage-format-790796544.html.
import { Parser as SaxParser } from "htmlparser2";

/** An open tag. */
interface Open {
  close: string;
  /** Its content is not for readers. */
  isSilent?: boolean;
  /** Receives the content instead of the output. */
  keeps?: (text: string) => unknown;
  macro?: Macro;
  link?: Link;
}
interface Macro {
  name: string;
  parameters: Record<string, string>;
  hasBody: boolean;
}
interface Link {
  target: string;
  hasBody: boolean;
}

/** Deeper than any page made for people; beyond it only the words are kept. */
const deepest = 1000;

/** Macros that display a parameter when they have no body. */
const shown: Record<string, string> = {
  status: "title",
  jira: "key",
  "view-file": "name",
  viewpdf: "name",
  viewdoc: "name",
  viewxls: "name",
  viewppt: "name",
  // Displays another page's text, which is a document of its own.
  include: "",
  "excerpt-include": "",
};
const silent = new Set([
  "ac:placeholder",
  "ac:adf-attribute",
  "ac:adf-fallback",
  "ac:task-id",
  "ac:task-uuid",
  "colgroup",
  "style",
  "script",
]);
/** The element of HTML that takes the place of one of Confluence's. */
const elements = new Map([
  ["ac:layout-cell", "div"],
  ["ac:caption", "div"],
  ["ac:adf-content", "div"],
  ["ac:task-list", "ul"],
  ["ac:task", "li"],
]);
/** The attribute that holds an element's words. */
const words = new Map([
  ["ac:image", "ac:alt"],
  ["ac:emoticon", "ac:emoji-fallback"],
  ["time", "datetime"],
]);
/** The attribute that names what a link leads to. */
const targets = new Map([
  ["ri:page", "ri:content-title"],
  ["ri:blog-post", "ri:content-title"],
  ["ri:attachment", "ri:filename"],
  ["ri:url", "ri:value"],
]);
const kept = ["href", "colspan", "rowspan", "start"];
const childless = new Set(["br", "hr", "img", "col", "wbr"]);

/** @param nameOf the display name of a mentioned user, by account id */
export function htmlOfStorage(storage: string, nameOf: (account: string) => string): string {
  const out: string[] = [];
  const opened: Open[] = [];
  const macros: Macro[] = [];
  const links: Link[] = [];
  const keepers: ((text: string) => unknown)[] = [];
  let quiet = 0;
  let isTooDeep = false;
  let isCdata = false;
  const write = (text: string) => {
    if (quiet === 0 && text !== "") out.push(text);
  };
  /** Sets the target of a link, or of a parameter that names it without one. */
  const target = (name: string) => {
    const link = links.at(-1);
    if (link) link.target = name;
    else keepers.at(-1)?.(name);
    return push({ close: "" });
  };
  const push = (open: Open) => {
    opened.push(open);
    if (opened.length > deepest) isTooDeep = true;
    if (open.macro) macros.push(open.macro);
    if (open.link) links.push(open.link);
    if (open.keeps) keepers.push(open.keeps);
    if (open.isSilent || open.keeps) quiet++;
  };
  const sax = new SaxParser(
    {
      onopentag(tag, attributes) {
        const macro = macros.at(-1);
        const link = links.at(-1);
        switch (tag) {
          case "ac:structured-macro":
          case "ac:macro":
            return push({
              close: "",
              macro: { name: attributes["ac:name"] ?? "", parameters: {}, hasBody: false },
            });
          case "ac:parameter": {
            const name = attributes["ac:name"] ?? "";
            return push({ close: "", keeps: (text) => keep(macro, name, text) });
          }
          case "ac:plain-text-body":
            if (macro) macro.hasBody = true;
            write(`${titleOf(macro)}<pre><code>`);
            return push({ close: "</code></pre>" });
          case "ac:rich-text-body":
            if (macro) macro.hasBody = true;
            write(`${titleOf(macro)}<div>`);
            return push({ close: "</div>" });
          case "ac:link":
            return push({ close: "", link: { target: "", hasBody: false } });
          case "ac:plain-text-link-body":
          case "ac:link-body":
            if (link) link.hasBody = true;
            return push({ close: "" });
          case "ri:user":
            return target(escapeHtml(nameOf(attributes["ri:account-id"] ?? "")));
          case "ac:task-status":
            return push({
              close: "",
              // Skipped when the list itself is hidden.
              keeps: (text) => quiet === 1 && out.push(text.trim() === "complete" ? "[x] " : "[ ] "),
            });
        }
        if (silent.has(tag)) return push({ close: "", isSilent: true });
        const named = targets.get(tag);
        if (named) return target(attributes[named] ?? "");
        const worded = words.get(tag);
        if (worded) write(attributes[worded] ?? "");
        const element = elements.get(tag) ?? tag;
        // Other elements of Confluence display their content.
        if (worded || !/^[a-z][a-z0-9]*$/i.test(element)) return push({ close: "" });
        const said = kept.flatMap((name) =>
          attributes[name] === undefined ? [] : [` ${name}="${attributes[name].replaceAll('"', "&quot;")}"`],
        );
        write(`<${element}${said.join("")}>`);
        push({ close: childless.has(element.toLowerCase()) ? "" : `</${element}>` });
      },
      ontext(text) {
        const keeps = keepers.at(-1);
        if (keeps) return keeps(isCdata ? escapeHtml(text) : text);
        write(isCdata ? escapeHtml(text) : text);
      },
      oncdatastart() {
        isCdata = true;
      },
      oncdataend() {
        isCdata = false;
      },
      onclosetag() {
        const open = opened.pop();
        if (!open) return;
        if (open.isSilent || open.keeps) quiet--;
        if (open.keeps) keepers.pop();
        if (open.macro) macros.pop();
        if (open.link) links.pop();
        write(open.close);
        const { macro, link } = open;
        if (macro && !macro.hasBody) write(shownTextOf(macro));
        if (link && !link.hasBody) (keepers.at(-1) ?? write)(link.target);
      },
    },
    // Leaves entities to the HTML reader that follows: HTML's entities are not XML's.
    { xmlMode: true, decodeEntities: false },
  );
  // Writes in pieces, so that excessive nesting is noticed before the whole page is read.
  for (let at = 0; at < storage.length && !isTooDeep; at += 65_536) sax.write(storage.slice(at, at + 65_536));
  if (isTooDeep) return storage.replace(/<[^<>]*>/g, " ");
  sax.end();
  return out.join("");
}

function keep(macro: Macro | undefined, name: string, text: string): void {
  if (macro)
    macro.parameters[name] = `${Object.hasOwn(macro.parameters, name) ? macro.parameters[name] : ""}${text}`;
}

function shownTextOf({ name, parameters }: Macro): string {
  const key = Object.hasOwn(shown, name) ? shown[name] : undefined;
  const own = key !== undefined && Object.hasOwn(parameters, key) ? parameters[key] : undefined;
  // An excerpt names its page in an unnamed parameter, or in one of this name.
  return own ?? (name === "excerpt-include" ? (parameters["default-parameter"] ?? "") : "");
}

/** The heading of a panel or of an expandable section. */
function titleOf(macro: Macro | undefined): string {
  const title = macro && Object.hasOwn(macro.parameters, "title") ? macro.parameters.title : "";
  return title ? `<p><strong>${title}</strong></p>` : "";
}

const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
