import type { PageConfig } from "../../renderer/page-definition.ts";

export default { layout: "dashboard", access: "team" } satisfies PageConfig;
