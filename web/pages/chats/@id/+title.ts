import type { TitleOf } from "../../../renderer/title.ts";
import type { ChatPageData } from "./+data.ts";

export const title: TitleOf = ({ data, t }) => {
  const { agent } = data as ChatPageData;
  return agent ? t("chat:title", { agentName: agent.name }) : t("chat:notThere");
};
