import type { TitleOf } from "#web/render/title.ts";
import type { ChatReviewData } from "./+data.ts";

export const title: TitleOf = ({ data, t }) => {
  const { chat } = data as ChatReviewData;
  return chat?.details.title || t("chats:title");
};
