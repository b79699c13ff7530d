import type { TitleOf } from "#web/render/title.ts";
import type { HandoverData } from "./+data.ts";

export const title: TitleOf = ({ data, t }) =>
  (data as HandoverData).handover.title || t("handovers:untitled");
