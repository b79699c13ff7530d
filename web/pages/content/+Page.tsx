// A page of text that we wrote ourselves, from Markdown.
import { useData } from "../../renderer/render-context.tsx";
import type { ContentData } from "./+data.ts";

export function Page() {
  const { html } = useData<ContentData>();
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the Markdown files are part of this repository
  return <article className="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}
