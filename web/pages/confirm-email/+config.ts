import type { PageConfig } from "../../renderer/page-definition.ts";

export default { layout: "auth", access: "public" } satisfies PageConfig;
