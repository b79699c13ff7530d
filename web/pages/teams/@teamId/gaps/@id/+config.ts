import type { PageConfig } from "#web/renderer/page-definition.ts";

export default { permission: "chats.read" } satisfies Partial<PageConfig>;
