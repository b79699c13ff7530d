// Finds the text of a content page in the request's language. Unknown slugs are "not found".
import { marked } from "marked";
import { render } from "vike/abort";
import type { PageContextServer } from "vike/types";

const files = import.meta.glob<string>("../../content/*/*.md", {
  eager: true,
  query: "?raw",
  import: "default",
});

export interface ContentData {
  title: string;
  html: string;
}

export async function data({ request }: PageContextServer): Promise<ContentData> {
  const slug = request.url.pathname.slice(1);
  const text = files[`../../content/${request.locale}/${slug}.md`] ?? files[`../../content/en/${slug}.md`];
  if (text === undefined) throw render(404);
  return {
    title: /^# (.+)$/m.exec(text)?.[1] ?? slug,
    html: await marked.parse(text.replaceAll("{{supportEmail}}", request.supportEmail)),
  };
}
