import type { PageConfig } from "#web/renderer/page-definition.ts";

export default { permission: "files.read" } satisfies Partial<PageConfig>;
