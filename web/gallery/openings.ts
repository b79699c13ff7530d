// Owns what can be opened over a page: the elements to click, and the server's responses. A script clicks them after
// the page's own has hydrated, so the parts open as in the app.
import type { FormState } from "../render/action.ts";
import type { Toast } from "../render/rendered.ts";
import type { State } from "./samples.ts";
import { textFor } from "./texts.ts";

interface Opening {
  /** Selectors of the elements to click, in order. */
  press: string[];
  /** Selector of the element that is then shown. */
  shows: string;
  /** A form that was refused. */
  form?(long: boolean): FormState;
  toast?(long: boolean): Toast;
  /** The document of a citation. */
  evidence?(long: boolean): object;
}

const words = (name: string, long: boolean, at = 0) => textFor(name, at, long);
const nothing = { hasMoreBefore: true, hasMoreAfter: true, headings: [], page: null, lastPage: null };
const reply = "[data-citation]";

const evidence = (excerpt: object | null) => ({
  state: excerpt ? "found" : "gone",
  title: "Handbook",
  url: null,
  file: null,
  excerpt,
});

/** The chat with the agent's replies alone: people's answers have no citations. */
function answeredByAgent(list: unknown): unknown {
  const { data, ...page } = list as { data: { role: string; content: string }[] };
  const replied = data.map((message) =>
    message.role === "assistant"
      ? { ...message, content: `${message.content} [1]`, author: null, status: "complete", support: null }
      : message,
  );
  return { ...page, data: replied };
}

function passage(long: boolean): object {
  const [before, quote, after] = [0, 1, 2].map((at) => words("content", long, at)) as [
    string,
    string,
    string,
  ];
  const heading = words("title", long);
  const text = [heading, before, quote, after].join("\n\n");
  const start = text.indexOf(quote, heading.length + before.length);
  const spans = [{ kind: "heading", level: 2, start: 0, end: heading.length }];
  return { ...nothing, text, offset: 0, quote: { start, end: start + quote.length }, spans, tables: [] };
}

function rows(long: boolean): object {
  const columns = [0, 1, 2].map((at) => words("name", long, at));
  const cells = [0, 1, 2, 3].map((at) => [
    words("title", long, at),
    String(at * 1250),
    words("role", long, at),
  ]);
  let text = columns.join("\t");
  const lines = cells.map((line) => {
    const start = text.length + 1;
    text += `\n${line.join("\t")}`;
    return { start, end: text.length, cells: line };
  });
  const table = { start: 0, end: text.length, caption: words("title", long), columns, rows: lines };
  const { start = 0, end = 0 } = lines[1] ?? {};
  return { ...nothing, text, offset: 0, quote: { start, end }, spans: [], tables: [table] };
}

const toasts = (toast: (long: boolean) => Toast): Opening => ({
  press: [],
  shows: ".toast[data-state=open]",
  toast,
});

const openings = {
  confirm: { press: ["[commandfor=delete-agent]"], shows: "dialog[open] button[command=close]" },
  refused: {
    press: [],
    shows: "dialog[open] button[command=close]",
    form: (long) => ({
      name: "delete",
      values: {},
      errors: {},
      failure: { title: words("title", long), description: words("description", long) },
    }),
  },
  passage: { press: [reply], shows: "#quote", evidence: (long) => evidence(passage(long)) },
  table: { press: [reply], shows: "#quote", evidence: (long) => evidence(rows(long)) },
  gone: { press: [reply], shows: "[role=region] > p", evidence: () => evidence(null) },
  why: {
    press: [reply, "[role=tab][aria-selected=false]"],
    shows: "[role=tabpanel] ol, [role=tabpanel] ul, [role=tabpanel] table",
  },
  toast: toasts((long) => ({ title: words("title", long), description: words("description", long) })),
  failure: toasts((long) => ({
    title: words("title", long),
    description: `${words("description", long)} support@parley.test`,
    variant: "destructive",
  })),
  undo: toasts((long) => ({
    title: words("title", long),
    restoring: {
      call: "/v1",
      href: "/",
      done: words("name", long),
      late: { title: words("title", long), description: words("description", long) },
      blocked: { title: words("title", long), description: words("description", long) },
      full: { title: words("title", long), descriptions: {} },
      leftOut: words("description", long),
    },
  })),
  palette: { press: ["[data-palette]"], shows: "[role=listbox] [role=option]" },
  menu: { press: ["[popovertarget=sidebar]", "#sidebar [data-menu] summary"], shows: "[data-menu][open]" },
} as const satisfies Record<string, Opening>;

export type OpeningName = keyof typeof openings;

export const findOpening = (name: string | null): Opening | undefined =>
  name !== null && Object.hasOwn(openings, name) ? openings[name as OpeningName] : undefined;

/** How the server's responses differ for it. */
export function applyOpening(opening: Opening | undefined, state: State) {
  const long = state === "long";
  return {
    form: opening?.form?.(long),
    toast: opening?.toast?.(long) ?? null,
    /** @param sampled the response without it */
    answer(path: string, sampled: unknown): unknown {
      if (opening?.evidence && /\/citations\/[^/]+$/.test(path)) return opening.evidence(long);
      return opening && path.endsWith("/messages") ? answeredByAgent(sampled) : sampled;
    },
  };
}

/** The script that opens it. Marks the document once it is open, and keeps a toast from closing. */
export function openingScript({ press, shows }: Opening): string {
  const given = JSON.stringify([...press, shows]);
  return `<script type="module">
const [...steps] = ${given};
const seen = (selector) => [...document.querySelectorAll(selector)].find((one) => one.checkVisibility());
const pause = (ms) => new Promise((go) => setTimeout(go, ms));
for (const [at, selector] of steps.slice(0, -1).entries()) {
  while (!seen(steps[at + 1])) {
    const part = seen(selector);
    const island = part?.closest("[data-island]");
    if (part && document.readyState === "complete" && (!island || "hydrated" in island.dataset)) part.click();
    for (let waited = 0; waited < 20 && !seen(steps[at + 1]); waited++) await pause(50);
  }
}
while (!seen(steps.at(-1))) await pause(50);
seen(steps.at(-1)).scrollIntoView({ block: "center" });
document.querySelector(".toast")?.dispatchEvent(new PointerEvent("pointermove", { bubbles: true }));
document.documentElement.dataset.opened = "";
</script>`;
}
