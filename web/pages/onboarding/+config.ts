import type { PageConfig } from "../../renderer/page-definition.ts";

export default { layout: "default", access: "user" } satisfies PageConfig;
