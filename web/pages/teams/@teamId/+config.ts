// For every page below that says nothing else.
import type { PageConfig } from "#web/renderer/page-definition.ts";

export default { layout: "default", access: "team" } satisfies Partial<PageConfig>;
