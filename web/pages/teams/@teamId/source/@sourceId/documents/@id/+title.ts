import type { TitleOf } from "#web/render/title.ts";
import type { DocumentData } from "./+data.ts";

export const title: TitleOf = ({ data }) => (data as DocumentData).document.title;
