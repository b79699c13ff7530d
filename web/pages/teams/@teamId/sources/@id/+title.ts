import type { TitleOf } from "#web/render/title.ts";
import type { SourceData } from "./+data.ts";

export const title: TitleOf = ({ data }) => (data as SourceData).source.name;
