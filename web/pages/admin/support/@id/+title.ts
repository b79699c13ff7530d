import type { TitleOf } from "#web/render/title.ts";
import type { SupportDetailData } from "./+data.ts";

export const title: TitleOf = ({ data }) => (data as SupportDetailData).row.subject;
