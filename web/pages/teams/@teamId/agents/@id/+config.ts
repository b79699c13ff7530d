import type { PageConfig } from "#web/renderer/page-definition.ts";

export default { layout: "default", access: "team", permission: "agents.read" } satisfies PageConfig;
