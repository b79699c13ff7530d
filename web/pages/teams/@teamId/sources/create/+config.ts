import type { PageConfig } from "#web/renderer/page-definition.ts";

export default { permission: "sources.write" } satisfies Partial<PageConfig>;
