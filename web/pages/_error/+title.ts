import type { TitleOf } from "../../renderer/title.ts";

export const title: TitleOf = ({ t, problem }) =>
  t(problem?.status === 404 ? "app:error.notFoundTitle" : "app:error.serverTitle");
