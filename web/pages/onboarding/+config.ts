import type { PageConfig } from "../../render/page-definition.ts";

export default { layout: "default", access: "user", permission: "agents.write" } satisfies PageConfig;
