import type { TitleOf } from "../../render/title.ts";

/** The page's heading: the title of the error, if it has one. */
export const title: TitleOf = ({ t, problem }) => {
  if (problem?.status === 404) return t("app:error.notFoundTitle");
  const known = problem?.failure && t(`errors:${problem.failure.code}.title`, { defaultValue: "" });
  return known || t("app:error.serverTitle");
};
