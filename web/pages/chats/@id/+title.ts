import type { TitleOf } from "../../../renderer/title.ts";
import type { ChatPageData } from "./+data.ts";

export const title: TitleOf = ({ data, t }) =>
  t("chat:title", { agentName: (data as ChatPageData).agent.name });
