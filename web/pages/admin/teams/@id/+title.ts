import type { TitleOf } from "#web/render/title.ts";
import type { TeamsDetailData } from "./+data.ts";

export const title: TitleOf = ({ data }) => (data as TeamsDetailData).row.name;
