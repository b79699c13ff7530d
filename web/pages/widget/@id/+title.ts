import type { TitleOf } from "../../../renderer/title.ts";
import type { WidgetData } from "./+data.ts";

export const title: TitleOf = ({ data, t }) => t("chat:title", { agentName: (data as WidgetData).name });
