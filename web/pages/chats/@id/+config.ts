import type { Config } from "vike/types";

export default { layout: "chat", access: "public" } satisfies Config;
