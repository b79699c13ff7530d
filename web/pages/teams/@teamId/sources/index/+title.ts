import type { TitleOf } from "#web/render/title.ts";

export const title: TitleOf = ({ t }) => t("sources:list.title");
