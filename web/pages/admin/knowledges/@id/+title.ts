import type { TitleOf } from "#web/render/title.ts";
import type { KnowledgesDetailData } from "./+data.ts";

export const title: TitleOf = ({ data }) => (data as KnowledgesDetailData).row.name;
