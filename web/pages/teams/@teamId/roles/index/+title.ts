import type { TitleOf } from "#web/renderer/title.ts";

export const title: TitleOf = ({ t }) => t("users:rolesTitle");
