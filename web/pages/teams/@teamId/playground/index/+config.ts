import type { PageConfig } from "#web/render/page-definition.ts";

export default { layout: "playground", access: "team", permission: "agents.read" } satisfies PageConfig;
