import type { PageConfig } from "#web/render/page-definition.ts";

export default { permission: "knowledges.read" } satisfies Partial<PageConfig>;
