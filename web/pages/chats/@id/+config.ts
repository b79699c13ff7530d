import type { PageConfig } from "#web/renderer/page-definition.ts";

export default { layout: "chat", access: "public" } satisfies PageConfig;
