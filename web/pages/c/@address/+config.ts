import type { PageConfig } from "#web/render/page-definition.ts";

export default { layout: "chat", access: "public" } satisfies PageConfig;
