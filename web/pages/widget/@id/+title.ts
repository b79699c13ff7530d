import type { TitleOf } from "#web/render/title.ts";
import { shownName } from "../../chats/shown-name.ts";
import type { WidgetData } from "./+data.ts";

export const title: TitleOf = ({ data, t }) => {
  const { agent } = data as WidgetData;
  return agent ? t("chat:title", { agentName: shownName(agent) }) : t("chat:gone");
};
