import type { Config } from "vike/types";

export default { layout: "default", access: "admin" } satisfies Config;
