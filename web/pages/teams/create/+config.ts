import type { PageConfig } from "../../../renderer/page-definition.ts";

export default { layout: "teams", access: "user" } satisfies PageConfig;
