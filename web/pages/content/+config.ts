// Everything that no other page answers: a page of web/content/{language}/{slug}.md, or "not found".
import type { Config } from "vike/types";

export default { layout: "content", access: "public", route: "/*" } satisfies Config;
