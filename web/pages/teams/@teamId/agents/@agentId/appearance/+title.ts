import type { TitleOf } from "#web/render/title.ts";
import type { AppearanceData } from "./+data.ts";

export const title: TitleOf = ({ data, t }) =>
  `${t("appearance:title")} · ${(data as AppearanceData).agent.name}`;
