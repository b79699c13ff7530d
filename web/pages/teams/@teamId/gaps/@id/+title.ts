import type { TitleOf } from "#web/render/title.ts";
import type { GapData } from "./+data.ts";

export const title: TitleOf = ({ data, t }) => (data as GapData).gap.question || t("gaps:title");
