import type { PageConfig } from "#web/render/page-definition.ts";

export default { layout: "account" } satisfies Partial<PageConfig>;
