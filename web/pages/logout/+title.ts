import type { TitleOf } from "../../render/title.ts";

export const title: TitleOf = ({ t }) => t("app:nav.logout");
