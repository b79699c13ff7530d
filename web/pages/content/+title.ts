import type { TitleOf } from "../../render/title.ts";
import type { ContentData } from "./+data.ts";

export const title: TitleOf = ({ data }) => (data as ContentData).title;
