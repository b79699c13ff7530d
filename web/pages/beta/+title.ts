import type { TitleOf } from "../../renderer/title.ts";

export const title: TitleOf = ({ t }) => t("beta:title");
