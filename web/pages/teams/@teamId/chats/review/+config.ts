import type { PageConfig } from "#web/render/page-definition.ts";

export default { layout: "playground" } satisfies Partial<PageConfig>;
