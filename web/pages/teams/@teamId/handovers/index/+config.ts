import type { PageConfig } from "#web/render/page-definition.ts";

export default { permission: "chats.read" } satisfies Partial<PageConfig>;
