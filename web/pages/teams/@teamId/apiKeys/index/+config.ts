import type { PageConfig } from "#web/render/page-definition.ts";

export default { layout: "account", permission: "apiKeys.read" } satisfies Partial<PageConfig>;
