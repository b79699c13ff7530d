import type { TitleOf } from "../../renderer/title.ts";

export const title: TitleOf = ({ t }) => t("auth:confirmEmail.title");
