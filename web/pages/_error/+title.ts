import type { TitleOf } from "../../renderer/title.ts";

/** As the page's heading: what the refusal is called, where it has a name. */
export const title: TitleOf = ({ t, problem }) => {
  if (problem?.status === 404) return t("app:error.notFoundTitle");
  const known = problem?.failure && t(`errors:${problem.failure.code}.title`, { defaultValue: "" });
  return known || t("app:error.serverTitle");
};
