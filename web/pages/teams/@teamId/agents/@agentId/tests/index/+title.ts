import type { TitleOf } from "#web/render/title.ts";
import type { TestsData } from "./+data.ts";

export const title: TitleOf = ({ data, t }) =>
  `${t("agentTests:tests.title")} · ${(data as TestsData).agent.name}`;
