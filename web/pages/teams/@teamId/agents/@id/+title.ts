import type { TitleOf } from "#web/render/title.ts";
import type { AgentData } from "./+data.ts";

export const title: TitleOf = ({ data }) => (data as AgentData).agent.name;
