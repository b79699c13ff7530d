import type { TitleOf } from "../../renderer/title.ts";
import type { ContentData } from "./+data.ts";

export const title: TitleOf = ({ data }) => (data as ContentData).title;
