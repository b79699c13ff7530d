// The content of the widget's frame: a chat with one agent, in its colour.
import { shownName } from "#web/browser/shown-name.ts";
import { Branded } from "#web/components/Branded.tsx";
import type { WidgetChatProps } from "#web/islands/WidgetChat.tsx";
import { Island } from "#web/renderer/island.tsx";
import { useData } from "#web/renderer/render-context.tsx";
import type { WidgetData } from "./+data.ts";

export function Page() {
  const agent = useData<WidgetData>();
  const { id, greeting, suggestedPrompts, appearance, avatar } = agent;
  return (
    <Branded color={appearance.color}>
      <Island<WidgetChatProps>
        name="WidgetChat"
        props={{ agent: { id, name: shownName(agent), greeting, suggestedPrompts }, picture: avatar }}
      />
    </Branded>
  );
}
