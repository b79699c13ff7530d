import type { TitleOf } from "#web/render/title.ts";
import { roleName } from "../role-name.ts";
import type { RoleData } from "./+data.ts";

export const title: TitleOf = ({ t, data }) => roleName(t, (data as RoleData).role);
