// For every page below without a setting of its own.
import type { PageConfig } from "../../render/page-definition.ts";

export default { layout: "default", access: "admin" } satisfies Partial<PageConfig>;
