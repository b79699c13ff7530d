import type { TitleOf } from "#web/render/title.ts";
import { shownName } from "../shown-name.ts";
import type { ChatPageData } from "./+data.ts";

export const title: TitleOf = ({ data, t }) => {
  const { agent } = data as ChatPageData;
  return agent ? t("chat:title", { agentName: shownName(agent) }) : t("chat:notThere");
};
