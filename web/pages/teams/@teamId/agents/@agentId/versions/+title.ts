import type { TitleOf } from "#web/render/title.ts";
import type { VersionsData } from "./+data.ts";

export const title: TitleOf = ({ data, t }) =>
  `${t("agentTests:versions.title")} · ${(data as VersionsData).agent.name}`;
