import type { TitleOf } from "#web/render/title.ts";
import type { TaskData } from "./+data.ts";

export const title: TitleOf = ({ data, t }) => t(`tasks:type.${(data as TaskData).task.type}`);
