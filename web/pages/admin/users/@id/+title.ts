import type { TitleOf } from "#web/render/title.ts";
import type { UsersDetailData } from "./+data.ts";

export const title: TitleOf = ({ data }) => (data as UsersDetailData).row.name;
