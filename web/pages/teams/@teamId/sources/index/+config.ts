import type { PageConfig } from "#web/renderer/page-definition.ts";

export default { permission: "sources.read" } satisfies Partial<PageConfig>;
