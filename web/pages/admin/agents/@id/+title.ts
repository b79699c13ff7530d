import type { TitleOf } from "#web/render/title.ts";
import type { AgentsDetailData } from "./+data.ts";

export const title: TitleOf = ({ data }) => (data as AgentsDetailData).row.name;
