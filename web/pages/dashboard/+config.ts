import type { Config } from "vike/types";

export default { layout: "dashboard", access: "team" } satisfies Config;
