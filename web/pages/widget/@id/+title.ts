import { shownName } from "#web/browser/shown-name.ts";
import type { TitleOf } from "#web/renderer/title.ts";
import type { WidgetData } from "./+data.ts";

export const title: TitleOf = ({ data, t }) => t("chat:title", { agentName: shownName(data as WidgetData) });
