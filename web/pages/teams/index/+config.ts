import type { Config } from "vike/types";

export default { layout: "teams", access: "user" } satisfies Config;
