// The catch-all route: a page of web/content/{language}/{slug}.md, or "not found".
import type { PageConfig } from "../../render/page-definition.ts";

export default { layout: "content", access: "public", route: "/*" } satisfies PageConfig;
