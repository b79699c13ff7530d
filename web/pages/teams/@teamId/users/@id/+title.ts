import type { TitleOf } from "#web/render/title.ts";
import type { UserData } from "./+data.ts";

export const title: TitleOf = ({ data }) => {
  const { member } = data as UserData;
  return member.name ?? member.email;
};
