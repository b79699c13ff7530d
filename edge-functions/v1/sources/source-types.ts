// Owns the endpoint that lists the source types and their settings. Needs no caller: the list is the same for all.
import type { Fields } from "../../indexing/connectors/declaration.ts";
import { declarations } from "../../indexing/connectors/registry.ts";
import { routes } from "../route.ts";
import { json, router } from "../router.ts";
import { sourceTypeList } from "./schema.ts";

const fieldsOf = (fields: Fields) =>
  Object.entries(fields).map(([name, { control, isRequired, isHidden, options, preset, placeholder }]) => ({
    name,
    control,
    isRequired,
    isHidden: isHidden ?? false,
    options: options ? [...options] : null,
    preset: preset === undefined ? null : typeof preset === "object" ? [...preset] : preset,
    placeholder: placeholder ?? null,
  }));

const data = declarations.map((one) => ({
  type: one.type,
  name: one.name,
  icon: one.icon,
  login: one.login,
  settings: fieldsOf(one.settings),
  credentials: fieldsOf(one.credentials),
  addresses: [...one.addresses],
  schedules: [...one.schedules],
  reads: [...one.reads],
  kinds: [...one.kinds],
}));

const route = routes({ tags: ["Sources"] });

/** Mounted at /v1/sourceTypes. */
export const sourceTypes = router().openapi(
  route({
    method: "get",
    path: "/",
    access: "open",
    summary: "List the source types",
    description: "What each type reads, its settings and credentials, and how often it may be synced.",
    responses: { 200: json(sourceTypeList) },
  }),
  (c) => c.json({ data }, 200),
);
