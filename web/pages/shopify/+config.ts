import type { Config } from "vike/types";

export default { layout: "home", access: "public" } satisfies Config;
