import type { TitleOf } from "#web/render/title.ts";
import type { SourcesDetailData } from "./+data.ts";

export const title: TitleOf = ({ data }) => (data as SourcesDetailData).row.name;
