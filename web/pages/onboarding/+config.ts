import type { PageConfig } from "../../renderer/page-definition.ts";

export default { layout: "default", access: "user", permission: "agents.write" } satisfies PageConfig;
