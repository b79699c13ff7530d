import type { TitleOf } from "#web/render/title.ts";
import type { KnowledgeData } from "./+data.ts";

export const title: TitleOf = ({ data }) => (data as KnowledgeData).knowledge.name;
