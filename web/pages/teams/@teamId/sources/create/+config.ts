import type { PageConfig } from "#web/render/page-definition.ts";

export default { permission: "sources.write" } satisfies Partial<PageConfig>;
