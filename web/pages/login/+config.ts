import type { PageConfig } from "../../render/page-definition.ts";

export default { layout: "auth", access: "loggedOutOnly" } satisfies PageConfig;
