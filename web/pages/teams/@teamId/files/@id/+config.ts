import type { PageConfig } from "#web/render/page-definition.ts";

export default { permission: "files.read" } satisfies Partial<PageConfig>;
