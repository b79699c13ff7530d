import type { PageConfig } from "#web/render/page-definition.ts";

export default { permission: "sources.read" } satisfies Partial<PageConfig>;
