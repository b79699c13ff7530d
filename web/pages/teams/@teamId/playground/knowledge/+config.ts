import type { PageConfig } from "#web/render/page-definition.ts";

export default { layout: "playground", permission: "knowledges.read" } satisfies Partial<PageConfig>;
