import type { TitleOf } from "#web/renderer/title.ts";
import type { AppearanceData } from "./+data.ts";

export const title: TitleOf = ({ data, t }) =>
  `${t("appearance:title")} · ${(data as AppearanceData).agent.name}`;
