import type { TitleOf } from "#web/render/title.ts";
import type { FileData } from "./+data.ts";

export const title: TitleOf = ({ data }) => (data as FileData).file.name;
