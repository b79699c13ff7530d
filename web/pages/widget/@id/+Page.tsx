// What the widget's frame holds: a conversation with one agent.
import type { WidgetChatProps } from "../../../islands/WidgetChat.tsx";
import { Island } from "../../../renderer/island.tsx";
import { useData } from "../../../renderer/render-context.tsx";
import type { WidgetData } from "./+data.ts";

export function Page() {
  const { id, name, greeting, suggestedPrompts } = useData<WidgetData>();
  return (
    <Island<WidgetChatProps> name="WidgetChat" props={{ agent: { id, name, greeting, suggestedPrompts } }} />
  );
}
