import type { TitleOf } from "#web/render/title.ts";
import type { RunData } from "./+data.ts";

export const title: TitleOf = ({ data, t }) =>
  `${t("agentTests:run.title")} · ${(data as RunData).agent.name}`;
