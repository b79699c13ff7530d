import type { PageConfig } from "../../../renderer/page-definition.ts";

export default { layout: "chat", access: "public" } satisfies PageConfig;
