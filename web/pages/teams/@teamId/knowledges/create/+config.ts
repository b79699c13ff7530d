import type { PageConfig } from "#web/render/page-definition.ts";

export default { permission: "knowledges.write" } satisfies Partial<PageConfig>;
