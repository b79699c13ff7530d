import type { Config } from "vike/types";

export default { layout: "frame", access: "public" } satisfies Config;
